import { Identifier } from '@hr/schemas';
import type { ExtensionOperation, OpenApiExtensions } from '@hr/schemas/openapi';
import { z } from 'zod';
import { paymentStates } from '../payroll/variable-payments.ts';
import { AuditEventQuery } from '../audit/audit-handlers.ts';
import {
  AuditEvent,
  Client,
  ClientCredentials,
  ClientCustomFields,
  ClientGrants,
  CustomFieldNames,
  Decision,
  Erasure,
  NewClient,
  NoBody,
  OperatorVariablePayment,
  PersonExport,
  Readmission,
  Rotation,
  RotationResult,
} from './operator-models.ts';

/** The scope of operators. */
export const OPERATOR_SCOPE = 'operator';
const TAG = 'Operator';

/** One operation of operators, an entry of the table {@link operatorOperations}. */
interface OperatorOperation extends Omit<ExtensionOperation, 'scope' | 'tag'> {
  readonly method: 'GET' | 'POST';
  readonly path: `/operator/v1/${string}`;
}

const none = z.strictObject({});
const payment = z.strictObject({ paymentId: Identifier.describe('Id of the variable payment.') });
const client = z.strictObject({ clientId: Identifier.describe('Id of the client.') });
const person = z.strictObject({ personId: Identifier.describe('Id of the person.') });

/** Approving and rejecting differ in path and summary alone. */
const decision = {
  method: 'POST',
  description: 'A decision is final.',
  pathParameters: payment,
  query: none,
  body: Decision,
  response: OperatorVariablePayment,
  list: false,
  problems: ['already-decided'],
} as const;
/** So do allowing and denying custom fields. */
const customFieldChange = {
  method: 'POST',
  description: 'Only a client with the scope `api:use` sees persons.',
  pathParameters: client,
  query: none,
  body: CustomFieldNames,
  response: ClientCustomFields,
  list: false,
  problems: ['conflict'],
} as const;

/**
 * The operations of operators, which are beyond the API. Routes, checks, the calls of the command line and their part of
 * the OpenAPI document follow from this table.
 */
export const operatorOperations = {
  operatorListVariablePayments: {
    method: 'GET',
    path: '/operator/v1/variable-payments',
    summary: 'List variable payments',
    description: 'The oldest first.',
    pathParameters: none,
    query: z.strictObject({ state: z.enum(paymentStates).describe('Only those in this state.').optional() }),
    response: OperatorVariablePayment,
    list: true,
  },
  operatorApproveVariablePayment: {
    ...decision,
    path: '/operator/v1/variable-payments/{paymentId}/approve',
    summary: 'Approve a submitted variable payment',
  },
  operatorRejectVariablePayment: {
    ...decision,
    path: '/operator/v1/variable-payments/{paymentId}/reject',
    summary: 'Reject a submitted variable payment',
  },
  operatorListClients: {
    method: 'GET',
    path: '/operator/v1/clients',
    summary: 'List the clients and their valid secrets',
    description: 'The oldest first. Secrets themselves are never shown.',
    pathParameters: none,
    query: none,
    response: Client,
    list: true,
  },
  operatorCreateClient: {
    method: 'POST',
    path: '/operator/v1/clients',
    summary: 'Create a client',
    description: 'The response contains its secret, which is shown only once.',
    pathParameters: none,
    query: none,
    body: NewClient,
    response: ClientCredentials,
    list: false,
    problems: ['conflict'],
  },
  operatorGrantClient: {
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/grants',
    summary: 'Set what a client may use and see',
    description:
      'Replaces each list that is sent and keeps the others. It also holds for access tokens that the client has. Only a client with the scope `api:use` has grants.',
    pathParameters: client,
    query: none,
    body: ClientGrants,
    response: Client,
    list: false,
    problems: ['conflict'],
  },
  operatorDisableClient: {
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/disable',
    summary: 'Disable a client',
    description: 'Ends its access tokens and gives it no new ones. A client cannot disable itself.',
    pathParameters: client,
    query: none,
    body: NoBody,
    response: Client,
    list: false,
  },
  operatorEnableClient: {
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/enable',
    summary: 'Enable a disabled client',
    description: 'Gives it access tokens again. Ended tokens stay ended.',
    pathParameters: client,
    query: none,
    body: NoBody,
    response: Client,
    list: false,
  },
  operatorRotateSecret: {
    method: 'POST',
    path: '/operator/v1/clients/{clientId}/rotate',
    summary: 'Rotate the secret of a client',
    description:
      'The previous secret stays valid for seven days, and an older one ends now. With `retire` it creates no secret, but ends the previous one now.',
    pathParameters: client,
    query: none,
    body: Rotation,
    response: RotationResult,
    list: false,
  },
  operatorListCustomFields: {
    method: 'GET',
    path: '/operator/v1/custom-fields',
    summary: 'List the custom fields that clients see',
    description: 'By client id. Clients that see none are left out.',
    pathParameters: none,
    query: none,
    response: ClientCustomFields,
    list: true,
  },
  operatorGetCustomFields: {
    method: 'GET',
    path: '/operator/v1/clients/{clientId}/custom-fields',
    summary: 'Get the custom fields that a client sees',
    description: 'A client sees only custom fields that an operator allowed.',
    pathParameters: client,
    query: none,
    response: ClientCustomFields,
    list: false,
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
  operatorListAuditEvents: {
    method: 'GET',
    path: '/operator/v1/audit-events',
    summary: 'List who read or changed whose data',
    description: 'The oldest first. Events match all of the parameters.',
    pathParameters: none,
    query: AuditEventQuery,
    response: AuditEvent,
    list: true,
  },
  operatorExportPerson: {
    method: 'GET',
    path: '/operator/v1/persons/{personId}/export',
    summary: 'Export all data of a person',
    description: 'Everything that is stored about the person at one moment.',
    pathParameters: person,
    query: none,
    response: PersonExport,
    list: false,
  },
  operatorErasePerson: {
    method: 'POST',
    path: '/operator/v1/persons/{personId}/erase',
    summary: 'Erase all data of a person',
    description: 'It cannot be undone. The audit stays, which contains only ids, and imports leave the person out.',
    pathParameters: person,
    query: none,
    body: NoBody,
    response: Erasure,
    list: false,
  },
  operatorReadmitPerson: {
    method: 'POST',
    path: '/operator/v1/persons/{personId}/readmit',
    summary: 'Let imports load an erased person again',
    description: 'It restores no data.',
    pathParameters: person,
    query: none,
    body: NoBody,
    response: Readmission,
    list: false,
  },
} as const satisfies Record<string, OperatorOperation>;

export type OperatorOperations = typeof operatorOperations;
export type OperatorOperationId = keyof OperatorOperations;

/** The part of the OpenAPI document that is about operators. */
export function operatorExtensions(): OpenApiExtensions {
  const entries = Object.entries<OperatorOperation>(operatorOperations);
  return {
    operations: Object.fromEntries(
      entries.map(([id, operation]) => [id, { ...operation, scope: OPERATOR_SCOPE, tag: TAG }]),
    ),
    tags: { [TAG]: 'What operators do: decide on payments, and manage clients, the audit and the data of persons.' },
    scopes: { [OPERATOR_SCOPE]: 'Operation of the service' },
  };
}
