import type { Operations } from '@hr/schemas';
import type { Handlers } from '../http/route.ts';
import { listSalaryHistory } from './salary-history.ts';
import { submitVariablePayment, submitVariablePaymentOnce } from './submit-variable-payment.ts';
import { listVariablePayments } from './variable-payments.ts';

/** Variable payments (section 4.3) and salaries (section 4.5). */
export const payrollHandlers = {
  async submitVariablePayment({ transaction, path, query, body, grant, idempotencyKey }) {
    const submission = {
      payrollContractId: path.contractId,
      billingPeriod: query.billingPeriod,
      payment: body,
      clientId: grant.clientId,
    };
    return idempotencyKey === undefined
      ? submitVariablePayment(transaction, submission)
      : submitVariablePaymentOnce(transaction, submission, idempotencyKey);
  },
  listVariablePayments: ({ database, path, query }) =>
    listVariablePayments(database, path.contractId, query.billingPeriod),
  listSalaryHistory: ({ database, path, query }) => listSalaryHistory(database, path.contractId, query),
} satisfies Partial<Handlers<Operations>>;
