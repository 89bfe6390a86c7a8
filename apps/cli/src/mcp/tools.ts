import type { OperationId } from '@hr/schemas';
import { listAbsences } from './list-absences.ts';
import { listSalaryHistory, listVariablePayments } from './payroll.ts';
import { getPerson, listGroups, listPersons } from './persons.ts';
import { submitVariablePayment } from './submit-variable-payment.ts';
import { listTimeBookings, sumTimeBookings } from './time-bookings.ts';
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

/** All tools by name: those of operations, and those that combine what operations read. */
export const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  Object.entries({ ...operationTools, getPerson, listGroups, sumTimeBookings }),
);
