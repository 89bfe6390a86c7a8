import { z } from 'zod';
import { createClient, scopes } from '../../database/clients.ts';
import { oneRecord } from '../../database/json-answer.ts';
import { none, operatorRoute, OperatorText } from './operator-route.ts';

/** The programs that may use the API. */
export const clientRoutes = [
  operatorRoute({
    id: 'operatorCreateClient',
    method: 'POST',
    path: '/operator/v1/clients',
    pathParameters: none,
    query: none,
    body: z.strictObject({ name: OperatorText, scope: z.enum(scopes) }),
    answer: async ({ transaction, body }) => {
      const client = await createClient(transaction, body);
      return oneRecord(JSON.stringify(client), { objectId: client.clientId });
    },
  }),
];
