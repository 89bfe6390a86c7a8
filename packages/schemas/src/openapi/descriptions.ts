import type { Operation } from '../operations.ts';
import type { OperationId } from '../operation-types.ts';
import { fieldsOf } from '../rules/ownership.ts';
import { variablePaymentValues } from '../payroll.ts';

const tagDescriptions: { readonly [Tag in Operation['tag'] | 'Token']: string } = {
  Token: 'How a program proves who it is.',
  Persons: 'Master data, with what payroll and time management know of a person.',
  Payroll: 'Variable payments and salaries, by payroll contract.',
  Time: 'Time bookings and absences, by person.',
  Changes: 'What changed, as it happens.',
};

/** The Tag Objects, in reading order. */
export const tags = Object.entries(tagDescriptions).map(([name, description]) => ({ name, description }));

/** The description of each operation, as Markdown. */
export const descriptions: { readonly [Id in OperationId]: string } = {
  listPersons: `Without \`changedSince\` every person, whole. With it those who changed from 00:00 of that date on, in the time zone of the service: \`id\` and every field of the systems that changed. Payroll has ${names(fieldsOf('payroll'))}, time management ${names(fieldsOf('time'))}, and master data the other fields; one that has no value is \`null\`. A deleted person has \`deleted\`, one whose data was erased for good has \`erased\`.`,

  updatePerson:
    'What is sent replaces what is stored, whole and exactly as sent; what is not sent stays. The first of `addresses` becomes the `address` of the person, and `[]` clears it.',

  submitVariablePayment: `The payment waits for an operator, who approves or rejects it. It needs at least one of ${names(variablePaymentValues)}; negative values are a reversal. Equal payments are two payments, unless they carry the same \`Idempotency-Key\`.`,

  listVariablePayments: 'Only what an operator has approved is read back.',

  listVariablePaymentDecisions:
    'The approved and rejected payments that this client submitted, in the order of their submission. With `after`, only those that were decided after that cursor.',

  listTimeBookings:
    'By person id and date; persons without a day in the response are left out. `changedSince` goes by whole days: those that changed, and with `deleted` those that were deleted.',

  listSalaryHistory: 'By month, the oldest first.',

  listAllSalaries: 'By contract and month. Only contracts that a person has and payroll knows.',

  listAbsences:
    'By start, then id. `from` alone asks for those that run on that day, `to` alone for those that start on or before it, and both for those that have a day in the period. An absence without an end goes on. With `changedSince`, absences that were deleted have `deleted`, whatever the period.',

  listAllAbsences:
    'By person, start and id, with the filters of the absences of a person. Absences that were deleted have `deleted`, whatever the period, in a list of changes.',

  getChanges:
    'Responds as soon as something has changed that this client may see, and otherwise after `wait` seconds. Without `after`, it responds at once, with a cursor to begin from. Read the lists that changed with the cursor that you sent, and salaries as a whole. Send the new cursor next time.',

  createWebhookEndpoint:
    'The response contains the secret of the signatures, which is shown only here and at a rotation. Notices follow Standard Webhooks. They tell what changed from now on, as far as the client may see it: see the webhook `changes`. A client has at most 10 endpoints.',

  listWebhookEndpoints: 'The oldest first. Secrets are never shown.',

  listWebhookDeliveries: 'The oldest first.',

  testWebhookEndpoint:
    'Responds with what came of it. After a success, a paused endpoint is active again, and a failing one is tried now. A receiver that responds 410 is removed.',

  rotateWebhookSecret:
    'For 24 hours, notices are signed with the previous secret too. An older one ends now. The response contains the new secret.',

  deleteWebhookEndpoint: 'It gets nothing from now on, except for what is being sent. Responds with what it was.',
};

function names(fields: readonly string[]): string {
  return fields.map((name) => `\`${name}\``).join(', ');
}
