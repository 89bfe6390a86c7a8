import { HttpProblem } from '../http/http-problem.ts';
import { keyInFlight } from '../http/key-in-flight.ts';
import { submitPayment } from '../submit-payment.ts';
import { shownPayment } from '../write-payment.ts';
import type { Handler } from './handler.ts';

export const submitVariablePayment: Handler<'submitVariablePayment'> = (call) => {
  const { store, path, query, body, grant, idempotencyKey } = call;
  const submission = { payrollContractId: path.contractId, billingPeriod: query.billingPeriod, payment: body };
  const payment = submitPayment(store, submission, { clientId: grant.clientId, idempotencyKey });
  if (payment === 'in-flight') throw keyInFlight();
  if (payment === 'reused') {
    throw new HttpProblem(
      'idempotency-key-reused',
      'The Idempotency-Key has made another payment; send the request it was made for, or another key.',
    );
  }
  return payment && shownPayment(payment);
};
