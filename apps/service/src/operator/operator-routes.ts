import type { z } from 'zod';
import { operatorOperations, scopesOf } from './operator-operations.ts';
import type { OperatorOperationId, OperatorOperations } from './operator-operations.ts';
import { auditEventHandlers } from '../audit/audit-event-list.ts';
import { clientHandlers } from '../clients/client-handlers.ts';
import { customFieldHandlers } from '../clients/custom-fields.ts';
import { feedHandlers } from '../feed/feed-handlers.ts';
import { personHandlers } from '../erasure/erasure-handlers.ts';
import { variablePaymentHandlers } from '../payroll/operator-payments.ts';
import type { ChangeRoute, Handler, Route } from '../http/route.ts';

/** Handles each operation of operators, once its inputs are checked. */
export type OperatorHandlers = { readonly [Id in OperatorOperationId]: Handler<OperatorOperations[Id]> };

const handlers: OperatorHandlers = {
  ...auditEventHandlers,
  ...clientHandlers,
  ...customFieldHandlers,
  ...feedHandlers,
  ...personHandlers,
  ...variablePaymentHandlers,
};

type Afterwards<Path> = ChangeRoute<Path>['afterwards'];

const evictClient: Afterwards<{ clientId: string }> = ({ clientId }, { authentication }) =>
  authentication.evict(clientId);

/** What to do once a change is durable. */
const afterwards: {
  readonly [Id in OperatorOperationId]?: Afterwards<z.output<OperatorOperations[Id]['pathParameters']>>;
} = {
  operatorDisableClient: evictClient,
  operatorEnableClient: evictClient,
  operatorGrantClient: evictClient,
  operatorRotateSecret: evictClient,
  operatorAllowCustomFields: evictClient,
  operatorDenyCustomFields: evictClient,
  // An embedded database reuses the space of deleted rows only after a vacuum.
  operatorErasePerson: (_path, { database }) => database.vacuum(),
};

/** The routes of operators: their operation table, with the handlers. */
export const operatorRoutes: readonly Route[] = Object.entries(operatorOperations).map(([id, operation]) => ({
  ...operation,
  id,
  scopes: scopesOf(operation),
  // Sound, as in api-routes.ts.
  answer: handlers[id as OperatorOperationId] as never,
  afterwards: afterwards[id as OperatorOperationId] as never,
}));
