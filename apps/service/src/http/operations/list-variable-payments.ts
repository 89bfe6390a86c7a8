import { approvedPayments } from '../../database/payments.ts';
import type { Handler } from '../handler.ts';

export const listVariablePayments: Handler<'listVariablePayments'> = ({ database, path, query }) =>
  approvedPayments(database, path.contractId, query.billingPeriod);
