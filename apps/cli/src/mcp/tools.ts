import { listAbsences } from './list-absences.ts';
import { listSalaryHistory, listVariablePayments } from './payroll.ts';
import { getPerson, listGroups, listPersons } from './persons.ts';
import { submitVariablePayment } from './submit-variable-payment.ts';
import { listTimeBookings, sumTimeBookings } from './time-bookings.ts';
import type { Tool } from './tool.ts';
import { updatePerson } from './update-person.ts';

/** All tools by name: those of operations, and those that combine what operations read. */
export const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  Object.entries({
    listPersons,
    updatePerson,
    submitVariablePayment,
    listVariablePayments,
    listTimeBookings,
    listSalaryHistory,
    listAbsences,
    getPerson,
    listGroups,
    sumTimeBookings,
  }),
);
