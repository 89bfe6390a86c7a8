import type { OperationId } from '@hr/schemas';
import { listAbsences } from './list-absences.ts';
import { listGroups } from './list-groups.ts';
import { listTimeBookings } from './list-time-bookings.ts';
import { listSalaryHistory, listVariablePayments } from './payroll.ts';
import { getPerson, listPersons } from './persons.ts';
import { submitVariablePayment } from './submit-variable-payment.ts';
import { sumTimeBookings } from './sum-time-bookings.ts';
import type { OperationTool, Tool } from './tool.ts';
import { updatePerson } from './update-person.ts';

/**
 * Operations that read what other tools read of the local copy or of one contract, those that follow changes, and those of
 * webhooks, which have secrets.
 */
type WithoutTool =
  | 'listAllAbsences'
  | 'listAllSalaries'
  | 'listVariablePaymentDecisions'
  | 'getChanges'
  | `${string}Webhook${string}`;

/** A tool for each other operation: a new operation does not compile without one. */
const operationTools = {
  listPersons,
  updatePerson,
  submitVariablePayment,
  listVariablePayments,
  listTimeBookings,
  listSalaryHistory,
  listAbsences,
} satisfies { readonly [Id in Exclude<OperationId, WithoutTool>]: OperationTool<Id> };

/** Tools for questions that would take one call for each person. */
const combiningTools = { getPerson, listGroups, sumTimeBookings } satisfies Record<string, Tool>;

/** All tools by name. */
export const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  Object.entries({ ...operationTools, ...combiningTools }),
);
