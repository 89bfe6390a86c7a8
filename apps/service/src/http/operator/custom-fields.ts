import { Identifier } from '@hr/schemas';
import { HttpProblem } from '@hr/schemas/provider';
import { z } from 'zod';
import {
  changeCustomFields,
  customFieldsOfClient,
  customFieldsOfClients,
} from '../../database/client-custom-fields.ts';
import type { Route } from '../route.ts';
import { none, operatorRoute } from './operator-route.ts';

const client = z.strictObject({ clientId: Identifier });
const selection = z.strictObject({ names: z.array(Identifier).min(1) });

function change(verb: 'allow' | 'deny', id: string): Route {
  return operatorRoute({
    id,
    method: 'POST',
    path: `/operator/v1/clients/{clientId}/custom-fields/${verb}`,
    pathParameters: client,
    query: none,
    body: selection,
    answer: async ({ transaction, path, body }) => {
      const changed = await changeCustomFields(transaction, verb, { ...path, ...body });
      if (changed.outcome === 'done') return changed.customFields;
      throw new HttpProblem('conflict', 'This client reads no persons: only those of the scope api:use do.');
    },
    afterwards: ({ clientId }, { authentication }) => authentication.evict(clientId),
  });
}

/** Which custom fields of persons the clients see. */
export const customFieldRoutes = [
  operatorRoute({
    id: 'operatorListCustomFields',
    method: 'GET',
    path: '/operator/v1/custom-fields',
    pathParameters: none,
    query: none,
    answer: ({ database }) => database.list(customFieldsOfClients),
  }),
  operatorRoute({
    id: 'operatorGetCustomFields',
    method: 'GET',
    path: '/operator/v1/clients/{clientId}/custom-fields',
    pathParameters: client,
    query: none,
    answer: ({ database, path }) => customFieldsOfClient(database, path.clientId),
  }),
  change('allow', 'operatorAllowCustomFields'),
  change('deny', 'operatorDenyCustomFields'),
];
