import { submitPayment } from '../../database/payments.ts';
import type { Handler } from '../handler.ts';

export const submitVariablePayment: Handler<'submitVariablePayment'> = ({ transaction, path, query, body, grant }) =>
  submitPayment(transaction, {
    payrollContractId: path.contractId,
    billingPeriod: query.billingPeriod,
    payment: body,
    clientId: grant.clientId,
  });
