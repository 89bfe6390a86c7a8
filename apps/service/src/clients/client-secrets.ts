import type { z } from 'zod';
import type * as models from './client-operations.ts';
import { clientRecord } from './clients.ts';
import type { Queries } from '../database/database.ts';
import { createCredentialKeys } from './credential-keys.ts';
import { secretHash } from './secrets.ts';

/** A client with its new secret, which is known only now. */
export type RotatedClient = z.output<typeof models.RotatedClient>;

/**
 * Gives a client a new secret. The previous one stays valid for seven days; any older one ends now, with its tokens.
 * `undefined` if the client is unknown.
 */
export async function rotateSecret(transaction: Queries, clientId: string): Promise<RotatedClient | undefined> {
  if (!(await lockClient(transaction, clientId))) return undefined;
  const { text: clientSecret, keyId } = await createCredentialKeys(transaction).issue({ kind: 'secret', clientId });
  await transaction.query('delete from client_secret where client_id = $1 and expires_at is not null', [clientId]);
  await transaction.query(
    `update client_secret set expires_at = clock_timestamp() + interval '7 days' where client_id = $1`,
    [clientId],
  );
  await transaction.query('insert into client_secret (client_id, secret_hash, key_id) values ($1, $2, $3)', [
    clientId,
    secretHash(clientSecret),
    keyId,
  ]);
  const client = await clientRecord(transaction, clientId);
  return client && { ...client, clientSecret };
}

/** A client without the secret that was ended. */
export type RetiredClient = z.output<typeof models.RetiredClient>;

/**
 * Ends the secret before the current one now, and its tokens; `undefined` if the client is unknown. If there is none, it ends
 * the current secret of a client that has keys.
 */
export async function retireSecret(transaction: Queries, clientId: string): Promise<RetiredClient | undefined> {
  if (!(await lockClient(transaction, clientId))) return undefined;
  const [last] = await transaction.query(
    `select from api_client where client_id = $1 and (jwks_url is not null or exists (
      select from client_key where client_key.client_id = $1
    )) and not exists (select from client_secret where client_secret.client_id = $1 and expires_at > clock_timestamp())`,
    [clientId],
  );
  const ended = await transaction.query<{ valid: boolean }>(
    `delete from client_secret where client_id = $1 and (expires_at is not null or $2)
    returning coalesce(expires_at > clock_timestamp(), true) as valid`,
    [clientId, last !== undefined],
  );
  const client = await clientRecord(transaction, clientId);
  return client && { ...client, retired: ended.some(({ valid }) => valid) };
}

/** Lets nobody else change the secrets and keys of a client until the transaction ends. Tells whether there is such a client. */
export async function lockClient(transaction: Queries, clientId: string): Promise<boolean> {
  const [client] = await transaction.query('select from api_client where client_id = $1 for update', [clientId]);
  return client !== undefined;
}
