import type { z } from 'zod';
import type { Operations } from '../operations.ts';
import type { Body, ChangeOf, OperationId } from '../operation-types.ts';
import type { Person } from '../person.ts';
import { deletedAbsence, deletedTimeBookingDay } from '../rules/person-changes.ts';
import type { Absence } from '../absence.ts';
import type { SalaryHistoryEntry, VariablePayment } from '../payroll.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from '../webhook-endpoint.ts';

type Element<Id extends OperationId> = z.output<Operations[Id]['response']>;

const address = { street: 'Hauptstr.', houseNumber: '5a', zipCode: '10115', city: 'Berlin', country: 'DE' };
const bankDetails = { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };
const payrollContractId = '5-4711';
const employments = [
  { payrollContractId, fullTime: true, permanent: true, start: '2024-05-01', workingHours: { weekly: 40 } },
];
const payment = { correctionPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 250 };

const person: Person = {
  id: '4711',
  firstName: 'Zoë',
  middleName: '',
  lastName: 'Lindqvist',
  gender: 'FEMALE',
  dateOfBirth: '1991-03-14',
  citizenship: 'SE',
  address,
  bankDetails,
  businessEmail: 'zoe.lindqvist@example.com',
  status: 'ACTIVE',
  groupEntryDate: '2024-05-01',
  employeeNumber: '4711',
  jobTitle: 'Controller',
  groups: [{ id: '5', type: 'COMPANY' }],
  keyNumber: '30815',
  employments,
  customFields: [],
  payrollContractIds: [payrollContractId],
};

const variablePayment: VariablePayment = { payrollContractId, billingPeriod: '2026-02', ...payment };

const salary: SalaryHistoryEntry = {
  payrollContractId,
  year: 2026,
  month: 1,
  totalSalary: 4450,
  baseSalary: 4200,
  values: [{ compensationComponentId: 'BONUS', value: 250 }],
};

const absence: Absence = {
  id: '9001',
  personId: person.id,
  startDate: '2026-02-02',
  endDate: '2026-02-06',
  amount: 5,
  key: 'A1',
};

const webhookEndpoint: WebhookEndpoint = {
  id: '1b4e28ba-2fa1-4d3b-8f6e-0242ac120003',
  url: 'https://hooks.example.com/hr',
  createdAt: '2026-02-02T08:00:00.000Z',
  failures: 0,
};
// Base64 of a text, not of a key.
const secret = 'whsec_c2hvd24gb25seSBvbmNl';
const webhookEndpointWithSecret: WebhookEndpointWithSecret = { ...webhookEndpoint, secret };

const webhookDelivery: WebhookDelivery = {
  messageId: 'msg_9f1c5a52',
  type: 'test',
  sentAt: '2026-02-03T09:15:00.000Z',
  attempt: 1,
  status: 204,
  durationMs: 87,
};

/** An example body of each operation that has one. */
export const bodyExamples: { readonly [Id in OperationId]?: Body<Id> } = {
  updatePerson: { addresses: [address] },
  submitVariablePayment: payment,
  createWebhookEndpoint: { url: webhookEndpoint.url },
};

/** An example response of each operation, or an element of its list. */
export const answerExamples: { readonly [Id in OperationId]: Element<Id> } = {
  listPersons: person,
  updatePerson: person,
  submitVariablePayment: variablePayment,
  listVariablePayments: variablePayment,
  listVariablePaymentDecisions: {
    ...variablePayment,
    idempotencyKey: 'bonus-2026-02/4711',
    state: 'rejected',
    decidedAt: '2026-02-03T09:15:00.000Z',
    reason: 'Already paid in January.',
  },
  listTimeBookings: {
    personId: person.id,
    days: [
      {
        date: '2026-01-30',
        targetTime: 8,
        bookedTime: 8.3,
        bookings: [
          { time: '2026-01-30T08:00', key: 'IN' },
          { time: '2026-01-30T16:30', key: 'OUT' },
        ],
      },
    ],
  },
  listSalaryHistory: salary,
  listAllSalaries: salary,
  listAbsences: absence,
  listAllAbsences: absence,
  getChanges: { cursor: 'MS41LjE0NzY', changed: ['persons', 'decisions'] },
  createWebhookEndpoint: webhookEndpointWithSecret,
  listWebhookEndpoints: webhookEndpoint,
  listWebhookDeliveries: webhookDelivery,
  testWebhookEndpoint: webhookDelivery,
  rotateWebhookSecret: webhookEndpointWithSecret,
  deleteWebhookEndpoint: webhookEndpoint,
};

/** An element of each list of changes. */
export const deltaExamples: { readonly [Id in OperationId]?: ChangeOf<Id> } = {
  // Payroll and time management changed, and the key number was removed.
  listPersons: { id: person.id, bankDetails, employments, keyNumber: null },
  listTimeBookings: { personId: person.id, days: [deletedTimeBookingDay('2026-01-30')] },
  listAbsences: deletedAbsence(absence.id, person.id),
  listAllAbsences: deletedAbsence(absence.id, person.id),
};
