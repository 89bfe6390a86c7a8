import { problems } from '@hr/schemas/provider';
import type { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Queries } from '../database/database.ts';
import { addressFault } from '../http/allowed-addresses.ts';
import type { NewKeys } from './client-operations.ts';
import { lockClient } from './client-secrets.ts';
import { clientRecord, type ClientRecord } from './clients.ts';
import { publicKeyOf, type PublicKey } from './public-keys.ts';

/**
 * Replaces the keys of a client, or where they come from. A key that it had before ends now, with its tokens.
 * `undefined` if the client is unknown.
 *
 * @throws {HttpProblem} `invalid-request` if nothing would ever be read from the URL.
 */
export async function setClientKeys(
  transaction: Queries,
  clientId: string,
  { jwks, jwksUrl }: Pick<z.output<typeof NewKeys>, 'jwks' | 'jwksUrl'>,
  { webhookNetworks }: Pick<Config, 'webhookNetworks'>,
): Promise<ClientRecord | undefined> {
  const fault = jwksUrl === undefined ? undefined : addressFault(new URL(jwksUrl), webhookNetworks);
  if (fault !== undefined) {
    throw problems.invalidRequest([{ pointer: '/jwksUrl', code: 'not-allowed', detail: fault }]);
  }
  if (!(await lockClient(transaction, clientId))) return undefined;
  await transaction.query('update api_client set jwks_url = $2, jwks_fetched_at = null where client_id = $1', [
    clientId,
    jwksUrl ?? null,
  ]);
  // Its model has checked them.
  await replaceKeys(transaction, clientId, jwks?.keys.map((jwk) => publicKeyOf(jwk) as PublicKey) ?? []);
  return clientRecord(transaction, clientId);
}

/** Stores the keys that the URL of a client gave. Tells whether they are others than before. */
export async function storeFetchedKeys(
  transaction: Queries,
  {
    clientId,
    jwksUrl,
    keys,
  }: { readonly clientId: string; readonly jwksUrl: string; readonly keys: readonly PublicKey[] },
): Promise<boolean> {
  if (!(await lockClient(transaction, clientId))) return false;
  const current = await transaction.query(
    'update api_client set jwks_fetched_at = clock_timestamp() where client_id = $1 and jwks_url = $2 returning 1',
    [clientId, jwksUrl],
  );
  // An operator has set another one meanwhile.
  return current.length > 0 && (await replaceKeys(transaction, clientId, keys));
}

/** A key that the client had before stays, and so do its tokens. */
async function replaceKeys(transaction: Queries, clientId: string, keys: readonly PublicKey[]): Promise<boolean> {
  const values = [clientId, JSON.stringify(keys)];
  const keysOf = 'json_to_recordset($2::json) as key (kid text, thumbprint text, alg text, jwk json)';
  const ended = await transaction.query(
    `delete from client_key where client_id = $1 and (kid, key_thumbprint) not in (select kid, thumbprint from ${keysOf})
    returning 1`,
    values,
  );
  const begun = await transaction.query(
    `insert into client_key (client_id, kid, key_thumbprint, alg, jwk) select $1, kid, thumbprint, alg, jwk from ${keysOf}
    on conflict do nothing returning 1`,
    values,
  );
  return ended.length + begun.length > 0;
}
