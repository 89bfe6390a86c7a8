import { Identifier, VariablePayment, YearMonth } from '@hr/schemas';
import { z } from 'zod';
import { listParameters, MomentParameter, someOf } from '../operator/list-parameters.ts';
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
    decidedBy: z.string().describe('Id of the client, or `command line`.').optional(),
    decidedAt: Moment.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'OperatorVariablePayment' });

/** The id of a variable payment. */
export const PAYMENT_ID = /^[1-9]\d{0,17}$/;

const filter = {
  state: someOf(paymentStates).describe('Only those in one of these states.').optional(),
  billingPeriod: YearMonth.describe('Only those of this billing period.').optional(),
  payrollContractId: Identifier.describe('Only those of this payroll contract.').optional(),
  submittedBy: Identifier.describe('Only those that this client submitted.').optional(),
  submittedSince: MomentParameter.describe(
    'Only those submitted from the beginning of a date in the time zone of the service on, or from a date-time on.',
  ).optional(),
};
const PaymentFilter = z.strictObject(filter);
export type PaymentFilter = z.output<typeof PaymentFilter>;

const VariablePaymentCount = z
  .object({
    billingPeriod: z.string(),
    state: z.enum(paymentStates),
    payments: z.int().describe('How many there are, at least one.'),
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
    query: PaymentFilter,
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
