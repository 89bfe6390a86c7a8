import { HttpProblem } from '@hr/schemas/provider';
import { changeCustomFields, customFieldsOfClient, customFieldsOfClients } from './custom-fields.ts';
import type { OperatorHandlers } from '../operator/operator-routes.ts';

/** Which custom fields of persons the clients see. */
export const customFieldHandlers = {
  operatorListCustomFields: ({ database }) => database.list(customFieldsOfClients),
  operatorGetCustomFields: ({ database, path }) => customFieldsOfClient(database, path.clientId),
  operatorAllowCustomFields: change('allow'),
  operatorDenyCustomFields: change('deny'),
} satisfies Partial<OperatorHandlers>;

function change(verb: 'allow' | 'deny'): OperatorHandlers['operatorAllowCustomFields'] {
  return async ({ transaction, path, body }) => {
    const changed = await changeCustomFields(transaction, verb, { ...path, ...body });
    if (changed.outcome === 'done') return changed.customFields;
    throw new HttpProblem('conflict', 'This client reads no persons: only those of the scope api:use do.');
  };
}
