import { submitPayment } from '../../database/payments.ts';
import type { Handler } from '../handler.ts';

export const submitVariablePayment: Handler<'submitVariablePayment'> = ({ database, path, query, body, clientId }) =>
  submitPayment(database, {
    payrollContractId: path.contractId,
    billingPeriod: query.billingPeriod,
    payment: body,
    clientId,
  });
