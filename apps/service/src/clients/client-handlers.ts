import { HttpProblem } from '@hr/schemas/provider';
import { grantClient } from './client-grants.ts';
import { clientRecords, createClient, disableClient, enableClient } from './clients.ts';
import { retireSecret, rotateSecret } from './client-secrets.ts';
import { oneRecord } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import type { OperatorHandlers } from '../operator/operator-routes.ts';

/** The programs that may use the API, and their secrets. */
export const clientHandlers = {
  operatorListClients: ({ database }) => database.list(clientRecords),

  async operatorCreateClient({ transaction, body: { name, scope, ...grants } }) {
    const created = await createClient(transaction, { name, scope });
    if (Object.keys(grants).length > 0) await grantClient(transaction, created.clientId, grants);
    return oneRecord(JSON.stringify(created), { objectId: created.clientId });
  },

  operatorGrantClient: async ({ transaction, path, body }) =>
    known(await grantClient(transaction, path.clientId, body)),

  async operatorDisableClient({ transaction, path, grant }) {
    if (path.clientId === grant.clientId) {
      throw new HttpProblem('forbidden', 'A client cannot disable itself: another operator or the command line can.');
    }
    return known(await disableClient(transaction, path.clientId));
  },

  operatorEnableClient: async ({ transaction, path }) => known(await enableClient(transaction, path.clientId)),

  operatorRotateSecret: async ({ transaction, path, body }) =>
    known(await (body?.retire ? retireSecret : rotateSecret)(transaction, path.clientId)),
} satisfies Partial<OperatorHandlers>;

function known(changed: object | undefined): JsonAnswer | undefined {
  return changed && oneRecord(JSON.stringify(changed));
}
