import { submitPaymentOnce } from '../../database/submit-payment-once.ts';
import { submitPayment } from '../../database/submit-payment.ts';
import type { Handler } from '../handler.ts';
import { HttpProblem } from '../http-problem.ts';

const IN_FLIGHT_RETRY_SECONDS = '1';

export const submitVariablePayment: Handler<'submitVariablePayment'> = async (call) => {
  const { transaction, path, query, body, grant, idempotencyKey } = call;
  const submission = {
    payrollContractId: path.contractId,
    billingPeriod: query.billingPeriod,
    payment: body,
    clientId: grant.clientId,
  };
  if (idempotencyKey === undefined) return submitPayment(transaction, submission);
  const submitted = await submitPaymentOnce(transaction, submission, idempotencyKey);
  if (submitted.outcome === 'in-flight') {
    throw new HttpProblem(
      'idempotency-key-in-flight',
      'A request with this Idempotency-Key has not ended yet; send it again in a moment.',
      { headers: { 'retry-after': IN_FLIGHT_RETRY_SECONDS } },
    );
  }
  if (submitted.outcome === 'reused') {
    throw new HttpProblem(
      'idempotency-key-reused',
      'The Idempotency-Key has made another payment; send the request it was made for, or another key.',
    );
  }
  return submitted.payment;
};
