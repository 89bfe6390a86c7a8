import type { Operations } from '@hr/schemas';
import type { Handlers } from '../http/route.ts';
import { cursorList } from '../changes/cursor-list.ts';
import { allSalaries, listSalaryHistory } from './salary-history.ts';
import { submitVariablePayment, submitVariablePaymentOnce } from './submit-variable-payment.ts';
import { listVariablePayments, paymentDecisions } from './variable-payments.ts';

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
  listVariablePaymentDecisions: (call) => cursorList(call, (since) => paymentDecisions(call.grant.clientId, since)),
  listSalaryHistory: ({ database, path, query }) => listSalaryHistory(database, path.contractId, query),
  listAllSalaries: ({ database, query }) => database.list(allSalaries(query)),
} satisfies Partial<Handlers<Operations>>;
