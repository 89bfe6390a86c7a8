import { Identifier } from '@hr/schemas';
import type { API_SCOPE } from '@hr/schemas';
import type { ExtensionOperation, OpenApiExtensions } from '@hr/schemas/openapi';
import { z } from 'zod';
import type { Scope } from '../clients/clients.ts';
import * as models from './operator-models.ts';

type OperatorScope = Exclude<Scope, typeof API_SCOPE>;

const scopeDescriptions: Readonly<Record<OperatorScope, string>> = {
  operator: 'Every operation of operators',
  'operator:read': 'Read what operators read, except the export of a person',
  'operator:payments': 'List variable payments and decide on them',
  'operator:clients': 'List and manage clients and the custom fields that they see',
  'operator:feed': 'Import feeds, and list and cancel the imports',
};
const TAG = 'Operator';
/** The media type of a feed. */
export const FEED_MEDIA_TYPE = 'application/x-ndjson';

/** One operation of operators, an entry of the table {@link operatorOperations}. */
interface OperatorOperation extends Omit<ExtensionOperation, 'scopes' | 'tag'> {
  readonly method: 'GET' | 'POST';
  readonly path: `/operator/v1/${string}`;
  /** The narrowest scope that is enough. */
  readonly scope: OperatorScope;
  /** What clients may not do, and the command line may. */
  readonly restriction?: string;
}

const ONLY_API_CLIENTS = 'The scope `operator:clients` is enough only for clients with the scope `api:use`.';
const none = z.strictObject({});
const payment = z.strictObject({ paymentId: Identifier.describe('Id of the variable payment.') });
const client = z.strictObject({ clientId: Identifier.describe('Id of the client.') });
const person = z.strictObject({ personId: Identifier.describe('Id of the person.') });
const oneImport = z.strictObject({ importId: Identifier.describe('Id of the import.') });

/** What most operations have. */
const get = { method: 'GET', pathParameters: none, query: none, list: false } as const;
const list = { ...get, list: true } as const;
const post = { method: 'POST', pathParameters: none, query: none, list: false } as const;

/** Approving and rejecting. */
const decision = {
  ...post,
  scope: 'operator:payments',
  description: 'A decision is final.',
  restriction:
    'A client cannot decide on a payment of a client that it made or whose secret it rotated, directly or through others.',
  pathParameters: payment,
  body: models.Decision,
  response: models.OperatorVariablePayment,
  problems: ['already-decided'],
} as const;
/** Changes of a client. */
const clientChange = {
  ...post,
  scope: 'operator:clients',
  pathParameters: client,
  body: models.NoBody,
  response: models.Client,
} as const;
/** Allowing and denying custom fields. */
const customFieldChange = {
  ...clientChange,
  description: 'Only a client with the scope `api:use` sees persons.',
  body: models.CustomFieldNames,
  response: models.ClientCustomFields,
  problems: ['conflict'],
} as const;

/**
 * The operations of operators, which are beyond the API. Routes, checks, the calls of the command line and their part of
 * the OpenAPI document follow from this table.
 */
export const operatorOperations = {
  operatorListVariablePayments: {
    ...list,
    scope: 'operator:payments',
    path: '/operator/v1/variable-payments',
    summary: 'List variable payments',
    description: 'The oldest first. Payments match all of the parameters.',
    query: models.PaymentListQuery,
    response: models.OperatorVariablePayment,
  },
  operatorCountVariablePayments: {
    ...list,
    scope: 'operator:payments',
    path: '/operator/v1/variable-payments/counts',
    summary: 'Count variable payments by billing period and state',
    description: 'By billing period, then state. Payments match all of the parameters.',
    query: models.PaymentFilter,
    response: models.VariablePaymentCount,
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
    ...list,
    scope: 'operator:clients',
    path: '/operator/v1/clients',
    summary: 'List the clients and their valid secrets',
    description: 'The oldest first. Secrets themselves are never shown.',
    response: models.Client,
  },
  operatorListClientActivity: {
    ...list,
    scope: 'operator:read',
    path: '/operator/v1/clients/activity',
    summary: 'List the newest events of each client in the audit',
    description:
      'By client id. Clients without such an event are left out. With `access`, give `since` too: otherwise it looks at all events of a client that has none of this kind.',
    query: models.ClientActivityQuery,
    response: models.ClientActivity,
  },
  operatorCreateClient: {
    ...post,
    scope: 'operator:clients',
    path: '/operator/v1/clients',
    summary: 'Create a client',
    description: 'The response contains its secret, which is shown only once.',
    restriction: ONLY_API_CLIENTS,
    body: models.NewClient,
    response: models.ClientCredentials,
    problems: ['conflict'],
  },
  operatorGrantClient: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/grants',
    summary: 'Set what a client may use and see',
    description:
      'Replaces each list that is sent and keeps the others. It also holds for access tokens that the client has. Only a client with the scope `api:use` has grants.',
    body: models.ClientGrants,
    problems: ['conflict'],
  },
  operatorDisableClient: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/disable',
    summary: 'Disable a client',
    description: 'Ends its access tokens and gives it no new ones.',
    restriction: 'A client cannot disable itself.',
  },
  operatorEnableClient: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/enable',
    summary: 'Enable a disabled client',
    description: 'Gives it access tokens again. Ended tokens stay ended.',
    restriction: ONLY_API_CLIENTS,
  },
  operatorRotateSecret: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/rotate',
    summary: 'Rotate the secret of a client',
    description:
      'The previous secret stays valid for seven days, and an older one ends now. With `retire` it creates no secret, but ends the previous one now. Tokens end with the secret that they were got with.',
    restriction: ONLY_API_CLIENTS,
    body: models.Rotation,
    response: models.RotationResult,
  },
  operatorAddCredentialKey: {
    ...post,
    scope: 'operator',
    path: '/operator/v1/credential-keys',
    summary: 'Rotate the key of the checksums in secrets and tokens',
    description: 'The new key issues from a minute later on. Secrets and tokens of older keys stay valid.',
    body: models.NoBody,
    response: models.CredentialKey,
  },
  operatorListCustomFields: {
    ...list,
    scope: 'operator:clients',
    path: '/operator/v1/custom-fields',
    summary: 'List the custom fields that clients see',
    description: 'By client id. Clients that see none are left out.',
    response: models.ClientCustomFields,
  },
  operatorGetCustomFields: {
    ...get,
    scope: 'operator:clients',
    path: '/operator/v1/clients/{clientId}/custom-fields',
    summary: 'Get the custom fields that a client sees',
    description: 'A client sees only custom fields that an operator allowed.',
    pathParameters: client,
    response: models.ClientCustomFields,
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
  operatorImportFeed: {
    ...post,
    scope: 'operator:feed',
    path: '/operator/v1/feed',
    summary: 'Import a feed',
    description:
      'One JSON record a line, plain or as gzip, of any length: it is stored in batches while it arrives. Lines with faults are left out; more than 100,000 faults end the import. If the request fails, what was stored stays, and `importId` in the problem names the import; send the same feed again, as records equal to the stored ones are no-ops.',
    query: z.strictObject({
      strict: z
        .enum(['true', 'false'])
        .describe('With `true`, check all lines first, and store nothing if one has a fault.')
        .optional(),
      source: Identifier.describe('Name of the feed in the list of imports.').optional(),
    }),
    stream: FEED_MEDIA_TYPE,
    response: models.ImportRun,
    problems: ['conflict'],
  },
  operatorListImports: {
    ...list,
    scope: 'operator:feed',
    path: '/operator/v1/imports',
    summary: 'List the imports of feeds',
    description: 'The oldest first.',
    query: models.ImportListQuery,
    response: models.ImportRun,
  },
  operatorGetImport: {
    ...get,
    scope: 'operator:feed',
    path: '/operator/v1/imports/{importId}',
    summary: 'Get an import of a feed',
    description: 'Its counts and the lines that it left out, also while it runs.',
    pathParameters: oneImport,
    response: models.ImportRun,
  },
  operatorCancelImport: {
    ...post,
    scope: 'operator:feed',
    path: '/operator/v1/imports/{importId}/cancel',
    summary: 'Cancel a running import',
    description: 'It ends behind its current batch, within seconds. What is stored stays.',
    pathParameters: oneImport,
    body: models.NoBody,
    response: models.ImportRun,
    problems: ['conflict'],
  },
  operatorListAuditEvents: {
    ...list,
    scope: 'operator:read',
    path: '/operator/v1/audit-events',
    summary: 'List who read or changed whose data',
    description: 'The oldest first. Events match all of the parameters.',
    query: models.AuditEventQuery,
    response: models.AuditEvent,
  },
  operatorExportPerson: {
    ...get,
    scope: 'operator',
    path: '/operator/v1/persons/{personId}/export',
    summary: 'Export all data of a person',
    description: 'Everything that is stored about the person at one moment.',
    pathParameters: person,
    response: models.PersonExport,
  },
  operatorErasePerson: {
    ...post,
    scope: 'operator',
    path: '/operator/v1/persons/{personId}/erase',
    summary: 'Erase all data of a person',
    description: 'It cannot be undone. The audit stays, which contains only ids, and imports leave the person out.',
    pathParameters: person,
    body: models.NoBody,
    response: models.Erasure,
  },
  operatorReadmitPerson: {
    ...post,
    scope: 'operator',
    path: '/operator/v1/persons/{personId}/readmit',
    summary: 'Let imports load an erased person again',
    description: 'It restores no data.',
    pathParameters: person,
    body: models.NoBody,
    response: models.Readmission,
  },
} as const satisfies Record<string, OperatorOperation>;

export type OperatorOperations = typeof operatorOperations;
export type OperatorOperationId = keyof OperatorOperations;

/** The scopes each of which is enough for an operation, the narrowest first. */
export function scopesOf({
  method,
  scope,
}: Pick<OperatorOperation, 'method' | 'scope'>): readonly [OperatorScope, ...OperatorScope[]] {
  if (scope === 'operator') return [scope];
  return method === 'GET' && scope !== 'operator:read' ? [scope, 'operator:read', 'operator'] : [scope, 'operator'];
}

/** The part of the OpenAPI document that is about operators. */
export function operatorExtensions(): OpenApiExtensions {
  const entries = Object.entries<OperatorOperation>(operatorOperations).map(([id, operation]) => {
    const description = [operation.description, operation.restriction ?? []].flat().join(' ');
    return [id, { ...operation, description, scopes: scopesOf(operation), tag: TAG }] as const;
  });
  return {
    operations: Object.fromEntries(entries),
    tags: {
      [TAG]:
        'What operators do: import feeds, decide on payments, and manage clients, the audit and the data of persons.',
    },
    scopes: scopeDescriptions,
  };
}
