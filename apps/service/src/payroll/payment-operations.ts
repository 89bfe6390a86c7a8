import { Identifier, VariablePayment, YearMonth } from '@hr/schemas';
import { z } from 'zod';
import { listParameters, MomentParameter, severalOf, someOf } from '../operator/list-parameters.ts';
import { Moment, OperatorText } from '../operator/operator-models.ts';
import { list, post, type OperatorOperations } from '../operator/operator-operation.ts';
import { paymentStates } from './variable-payments.ts';

export const OperatorVariablePayment = z
  .object({
    id: z.string(),
    state: z.enum(paymentStates),
    ...VariablePayment.shape,
    masterCostCenter: z.string().describe('Cost center of the contract when the payment was submitted.').optional(),
    submittedBy: z.string().describe('Id of the client.'),
    submittedAt: Moment,
    idempotencyKey: z.string().describe('The `Idempotency-Key` with which the client submitted it.').optional(),
    decidedBy: z.string().describe('Id of the client, or `command line`.').optional(),
    decidedAt: Moment.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'OperatorVariablePayment' });

const id = /[1-9]\d{0,17}/;
/** The id of a variable payment. */
export const PAYMENT_ID = new RegExp(`^${id.source}$`);

const filter = {
  id: severalOf(id, 'ids of this list').describe('Only those with one of these ids.').optional(),
  idempotencyKey: severalOf(/[\x21-\x2b\x2d-\x7e]{1,255}/, 'idempotency keys')
    .describe('Only those that a client submitted with one of these keys.')
    .optional(),
  state: someOf(paymentStates).describe('Only those in one of these states.').optional(),
  billingPeriod: YearMonth.describe('Only those of this billing period.').optional(),
  payrollContractId: severalOf(/[^,]{1,255}/, 'ids')
    .describe('Only those of these payroll contracts.')
    .optional(),
  submittedBy: Identifier.describe('Only those that this client submitted.').optional(),
  submittedSince: MomentParameter.describe(
    'Only those submitted from the beginning of a date in the time zone of the service on, or from a date-time on.',
  ).optional(),
};
export type PaymentFilter = Partial<Record<keyof typeof filter, string | undefined>>;

const VariablePaymentCount = z
  .object({
    billingPeriod: z.string(),
    state: z.enum(paymentStates),
    payments: z.int().describe('How many there are, at least one.'),
    amount: z.number().describe('Their sum, as the next two. Only with the parameter `sums`.').optional(),
    hours: z.number().optional(),
    days: z.number().optional(),
  })
  .meta({ id: 'VariablePaymentCount' });

const decision = {
  ...post,
  scope: 'operator:payments',
  description: 'A decision is final.',
  restriction:
    'A client cannot decide on a payment of a client that it made or whose secret it rotated, directly or through others.',
  pathParameters: z.strictObject({ paymentId: Identifier.describe('Id of the variable payment.') }),
  body: z
    .strictObject({ reason: OperatorText.describe('Why, for the record.').optional() })
    .optional()
    .meta({ id: 'Decision' }),
  response: OperatorVariablePayment,
  problems: ['already-decided'],
} as const;

export const paymentOperations = {
  operatorListVariablePayments: {
    ...list,
    scope: 'operator:payments',
    path: '/operator/v1/variable-payments',
    summary: 'List variable payments',
    description: 'The oldest first. Payments match all of the parameters.',
    query: listParameters(PAYMENT_ID, filter),
    response: OperatorVariablePayment,
  },
  operatorCountVariablePayments: {
    ...list,
    scope: 'operator:payments',
    path: '/operator/v1/variable-payments/counts',
    summary: 'Count variable payments by billing period and state',
    description: 'By billing period, then state. Payments match all of the parameters.',
    query: z.strictObject({
      ...filter,
      sums: z
        .literal('true')
        .describe('Whether to add up amounts, hours and days, which takes longer. A payment without one adds nothing.')
        .optional(),
    }),
    response: VariablePaymentCount,
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
} as const satisfies OperatorOperations;
