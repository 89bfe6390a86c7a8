import { API_SCOPE } from '@hr/schemas';
import { HttpProblem } from '@hr/schemas/provider';
import { grantClient } from './client-grants.ts';
import type { clientOperations } from './client-operations.ts';
import { setClientKeys } from './client-keys.ts';
import {
  clientList,
  createClient,
  createClientWithoutSecret,
  disableClient,
  enableClient,
  noteClientChange,
} from './clients.ts';
import { recordMaker } from './client-makers.ts';
import { retireSecret, rotateSecret } from './client-secrets.ts';
import { addCredentialKey } from './credential-keys.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import type { Scope, TokenGrant } from '../http/grant.ts';
import type { Afterwards, Handlers } from '../http/route.ts';

export const clientHandlers = {
  operatorListClients: ({ database }) => database.list(clientList),

  async operatorCreateClient({ transaction, body: { name, scope, jwks, jwksUrl, ...grants }, grant, config }) {
    checkMayManage(grant, { scope });
    const hasKeys = jwks !== undefined || jwksUrl !== undefined;
    const created = await (hasKeys ? createClientWithoutSecret : createClient)(transaction, { name, scope });
    if (hasKeys) await setClientKeys(transaction, created.clientId, { jwks, jwksUrl }, config);
    await recordMaker(transaction, created.clientId, grant.clientId);
    if (Object.keys(grants).length > 0) await grantClient(transaction, created.clientId, grants);
    await noteClientChange(transaction);
    return oneRecord(JSON.stringify(created), { objectId: created.clientId });
  },

  async operatorGrantClient({ transaction, path, body, grant }) {
    const granted = await grantClient(transaction, path.clientId, body);
    if (granted) checkMayManage(grant, granted);
    return changed(transaction, granted);
  },

  async operatorDisableClient({ transaction, path, grant }) {
    if (path.clientId === grant.clientId) {
      throw new HttpProblem('forbidden', 'A client cannot disable itself: another operator or the command line can.');
    }
    return changed(transaction, await disableClient(transaction, path.clientId));
  },

  async operatorEnableClient({ transaction, path, grant }) {
    const enabled = await enableClient(transaction, path.clientId);
    if (enabled) checkMayManage(grant, enabled);
    return changed(transaction, enabled);
  },

  async operatorRotateSecret({ transaction, path, body, grant }) {
    const rotated = await (body?.retire ? retireSecret : rotateSecret)(transaction, path.clientId);
    if (rotated) checkMayManage(grant, rotated);
    if (rotated && 'clientSecret' in rotated) await recordMaker(transaction, path.clientId, grant.clientId);
    return changed(transaction, rotated);
  },

  async operatorSetClientKeys({ transaction, path, body, grant, config }) {
    const client = await setClientKeys(transaction, path.clientId, body, config);
    if (client) checkMayManage(grant, client);
    if (client && !body.none) await recordMaker(transaction, path.clientId, grant.clientId);
    return changed(transaction, client);
  },

  operatorAddCredentialKey: async ({ transaction }) => oneRecord(JSON.stringify(await addCredentialKey(transaction))),
} satisfies Handlers<typeof clientOperations>;

export const evictClient: Afterwards<typeof clientOperations>['operatorGrantClient'] = (
  { clientId },
  { authentication },
) => authentication.evict(clientId);

export const afterClientChanges = {
  // That there is no such client may be cached.
  operatorCreateClient: (_path, { authentication }) => authentication.evict(),
  operatorGrantClient: evictClient,
  operatorDisableClient: evictClient,
  operatorEnableClient: evictClient,
  operatorRotateSecret: evictClient,
  operatorSetClientKeys: evictClient,
} satisfies Afterwards<typeof clientOperations>;

/**
 * A client that manages others must not gain rights by a secret or key of theirs. What was changed before this throws is rolled
 * back.
 */
function checkMayManage(grant: TokenGrant, client: { readonly scope: Scope }): void {
  if (grant.scope === 'operator' || client.scope === API_SCOPE) return;
  throw new HttpProblem(
    'forbidden',
    `The scope ${grant.scope} creates, enables and grants only clients with the scope ${API_SCOPE}, and changes secrets and keys only of those. Use a token with the scope operator.`,
  );
}

async function changed(transaction: Queries, client: object | undefined): Promise<JsonAnswer | undefined> {
  if (!client) return undefined;
  await noteClientChange(transaction);
  return oneRecord(JSON.stringify(client));
}
