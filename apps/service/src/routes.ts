import { API_SCOPE, operations, wireNames, type Operation, type OperationId } from '@hr/schemas';
import type { OpenApiExtensions } from '@hr/schemas/openapi';
import { auditHandlers } from './audit/audit-handlers.ts';
import { auditOperations } from './audit/audit-operations.ts';
import { afterClientChanges, clientHandlers } from './clients/client-handlers.ts';
import { changeHandlers, operatorChangeHandlers } from './changes/change-handlers.ts';
import { changeOperations } from './changes/change-operations.ts';
import { clientOperations } from './clients/client-operations.ts';
import { customFieldOperations } from './clients/custom-field-operations.ts';
import { afterCustomFieldChanges, customFieldHandlers } from './clients/custom-field-handlers.ts';
import { afterErasure, personalDataHandlers } from './erasure/personal-data-handlers.ts';
import { personalDataOperations } from './erasure/personal-data-operations.ts';
import { feedHandlers } from './feed/feed-handlers.ts';
import { feedOperations } from './feed/feed-operations.ts';
import { actingHeaders } from './http/acting.ts';
import type { PathParameters } from './http/path-subject.ts';
import type { Afterwards, Handlers, Route, SendingOperations } from './http/route.ts';
import { scopesOf, type OperatorOperation, type OperatorScope } from './operator/operator-operation.ts';
import { paymentHandlers } from './payroll/payment-handlers.ts';
import { paymentOperations } from './payroll/payment-operations.ts';
import { payrollHandlers } from './payroll/payroll-handlers.ts';
import { personHandlers } from './persons/person-handlers.ts';
import { timeHandlers } from './time/time-handlers.ts';
import { afterEndpointChanges, operatorWebhookHandlers, webhookHandlers } from './webhooks/webhook-handlers.ts';
import { operatorWebhookOperations } from './webhooks/webhook-operations.ts';

const identified: PathParameters = {
  id: ['person', 'personId'],
  personId: ['person', 'personId'],
  contractId: ['payroll contract', 'payrollContractId'],
  paymentId: ['variable payment', 'objectId'],
  clientId: ['client', 'objectId'],
  importId: ['import', 'objectId'],
  endpointId: ['webhook endpoint', 'objectId'],
};

const apiHandlers: Handlers<SendingOperations> = {
  ...personHandlers,
  ...payrollHandlers,
  ...timeHandlers,
  ...changeHandlers,
  ...webhookHandlers,
};

/** The routes of the API: its operation table, with the handlers. */
export const apiRoutes: readonly Route[] = Object.entries<Operation>(operations).map(([id, operation]) => ({
  ...operation,
  id,
  identified,
  stream: undefined,
  ...(id === 'testWebhookEndpoint' ? { method: 'POST', sends: true } : { sends: undefined }),
  waits: id === 'getChanges' ? true : undefined,
  scopes: [API_SCOPE],
  wireNames: (wireNames as Readonly<Record<string, Route['wireNames']>>)[id] ?? {},
  // Sound: the handler of an id takes what the schemas and the method of the same id let through.
  answer: apiHandlers[id as OperationId] as never,
  afterwards: afterEndpointChanges[id as keyof typeof afterEndpointChanges] as never,
}));

export const operatorOperations = {
  ...paymentOperations,
  ...clientOperations,
  ...customFieldOperations,
  ...feedOperations,
  ...auditOperations,
  ...personalDataOperations,
  ...operatorWebhookOperations,
  ...changeOperations,
};
type OperatorOperations = typeof operatorOperations;
export type OperatorOperationId = keyof OperatorOperations;

const operatorHandlers: Handlers<OperatorOperations> = {
  ...paymentHandlers,
  ...clientHandlers,
  ...customFieldHandlers,
  ...feedHandlers,
  ...auditHandlers,
  ...personalDataHandlers,
  ...operatorWebhookHandlers,
  ...operatorChangeHandlers,
};
const afterwards: Afterwards<OperatorOperations> = {
  ...afterClientChanges,
  ...afterCustomFieldChanges,
  ...afterErasure,
};

/** The routes of operators: their operations, with the handlers. */
export const operatorRoutes: readonly Route[] = Object.entries(operatorOperations).map(([id, operation]) => ({
  ...operation,
  id,
  identified,
  scopes: scopesOf(operation),
  // Sound, as above.
  answer: operatorHandlers[id as OperatorOperationId] as never,
  afterwards: afterwards[id as keyof typeof afterwards] as never,
}));

const scopeDescriptions: Readonly<Record<OperatorScope, string>> = {
  operator: 'Every operation of operators',
  'operator:read': 'Read what operators read, except the export of a person',
  'operator:payments': 'List variable payments and decide on them',
  'operator:clients': 'List and manage clients and the custom fields that they see',
  'operator:feed': 'Import feeds, and list and cancel the imports',
  'operator:audit': 'Record reads from the copy of a client',
};
const TAG = 'Operator';

/** The part of the OpenAPI document that is about operators. */
export function openApiExtensions(): OpenApiExtensions {
  const ofOperators = Object.entries<OperatorOperation>(operatorOperations).map(([id, operation]) => {
    const description = [operation.description, operation.restriction ?? []].flat().join(' ');
    return [id, { ...operation, description, scopes: scopesOf(operation), tag: TAG }] as const;
  });
  return {
    operations: Object.fromEntries(ofOperators),
    tags: {
      [TAG]:
        'What operators do: import feeds, decide on payments, and manage clients, the audit and the data of persons.',
    },
    scopes: scopeDescriptions,
    headers: actingHeaders,
  };
}
