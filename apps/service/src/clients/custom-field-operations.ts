import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import { get, list, type OperatorOperations } from '../operator/operator-operation.ts';
import { clientChange } from './client-operations.ts';

const CustomFieldNames = z
  .strictObject({ names: z.array(Identifier).min(1).describe('Names of custom fields, exactly as the feed has them.') })
  .meta({ id: 'CustomFieldNames' });

const ClientCustomFields = z
  .object({
    clientId: clientChange.pathParameters.shape.clientId,
    names: z.array(z.string()).describe('The custom fields of persons that the client sees.'),
  })
  .meta({ id: 'ClientCustomFields' });

const customFieldChange = {
  ...clientChange,
  description: 'Only a client with the scope `api:use` sees persons.',
  body: CustomFieldNames,
  response: ClientCustomFields,
  problems: ['conflict'],
} as const;

export const customFieldOperations = {
  operatorListCustomFields: {
    ...list,
    scope: 'operator:clients',
    path: '/operator/v1/custom-fields',
    summary: 'List the custom fields that clients see',
    description: 'By client id. Clients that see none are left out.',
    response: ClientCustomFields,
  },
  operatorGetCustomFields: {
    ...get,
    scope: 'operator:clients',
    path: '/operator/v1/clients/{clientId}/custom-fields',
    summary: 'Get the custom fields that a client sees',
    description: 'A client sees only custom fields that an operator allowed.',
    pathParameters: clientChange.pathParameters,
    response: ClientCustomFields,
  },
  operatorAllowCustomFields: {
    ...customFieldChange,
    path: '/operator/v1/clients/{clientId}/custom-fields/allow',
    summary: 'Let a client see custom fields',
  },
  operatorDenyCustomFields: {
    ...customFieldChange,
    path: '/operator/v1/clients/{clientId}/custom-fields/deny',
    summary: 'Hide custom fields from a client',
  },
} as const satisfies OperatorOperations;
