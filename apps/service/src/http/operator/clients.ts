import { Identifier } from '@hr/schemas';
import { HttpProblem } from '@hr/schemas/provider';
import { z } from 'zod';
import { clientRecords } from '../../database/client-record.ts';
import { retireSecret, rotateSecret } from '../../database/client-secrets.ts';
import { createClient, disableClient, enableClient, scopes } from '../../database/clients.ts';
import { oneRecord } from '../../database/json-answer.ts';
import type { JsonAnswer } from '../../database/json-answer.ts';
import { none, operatorRoute, OperatorText } from './operator-route.ts';

const client = z.strictObject({ clientId: Identifier });
const rotation = z.strictObject({ retire: z.boolean().optional() }).optional();

function known(changed: object | undefined): JsonAnswer | undefined {
  return changed && oneRecord(JSON.stringify(changed));
}

/** The programs that may use the API, and their secrets. */
export const clientRoutes = [
  operatorRoute({
    id: 'operatorListClients',
    method: 'GET',
    path: '/operator/v1/clients',
    pathParameters: none,
    query: none,
    answer: ({ database }) => database.list(clientRecords),
  }),
  operatorRoute({
    id: 'operatorCreateClient',
    method: 'POST',
    path: '/operator/v1/clients',
    pathParameters: none,
    query: none,
    body: z.strictObject({ name: OperatorText, scope: z.enum(scopes) }),
    answer: async ({ transaction, body }) => {
      const created = await createClient(transaction, body);
      return oneRecord(JSON.stringify(created), { objectId: created.clientId });
    },
  }),
  operatorRoute({
    id: 'operatorDisableClient',
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/disable',
    pathParameters: client,
    query: none,
    body: none.optional(),
    answer: async ({ transaction, path, grant }) => {
      if (path.clientId === grant.clientId) {
        throw new HttpProblem('forbidden', 'A client cannot disable itself: another operator or the command line can.');
      }
      return known(await disableClient(transaction, path.clientId));
    },
    afterwards: ({ clientId }, { authentication }) => authentication.evict(clientId),
  }),
  operatorRoute({
    id: 'operatorEnableClient',
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/enable',
    pathParameters: client,
    query: none,
    body: none.optional(),
    answer: async ({ transaction, path }) => known(await enableClient(transaction, path.clientId)),
  }),
  operatorRoute({
    id: 'operatorRotateSecret',
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/rotate',
    pathParameters: client,
    query: none,
    body: rotation,
    answer: async ({ transaction, path, body }) =>
      known(await (body?.retire ? retireSecret : rotateSecret)(transaction, path.clientId)),
  }),
];
