import { auditEventRoutes } from './operator/audit-events.ts';
import { clientRoutes } from './operator/clients.ts';
import { customFieldRoutes } from './operator/custom-fields.ts';
import { personRoutes } from './operator/persons.ts';
import { variablePaymentRoutes } from './operator/variable-payments.ts';
import type { Route } from './route.ts';

/** What operators do over HTTP: it stays outside the API. */
export const operatorRoutes: readonly Route[] = [
  ...variablePaymentRoutes,
  ...clientRoutes,
  ...auditEventRoutes,
  ...customFieldRoutes,
  ...personRoutes,
];
