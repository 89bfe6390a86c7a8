import { variablePaymentValues } from '@hr/schemas';
import { printedMoment } from '../terminal/terminal.ts';
import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import { paymentOperations } from './payment-operations.ts';

const none = 'There are no such payments.';

/** `payments list|count|approve|reject`. */
export const commands = {
  payments: commandGroup({
    list: operatorCommand(paymentOperations.operatorListVariablePayments, {
      text: table(none, {
        ID: 'id',
        STATE: 'state',
        CONTRACT: 'payrollContractId',
        PERIOD: 'billingPeriod',
        COMPONENT: 'compensationComponentId',
        VALUES: (payment) =>
          variablePaymentValues
            .flatMap((name) => (payment[name] === undefined ? [] : `${name} ${payment[name]}`))
            .join(', '),
        SUBMITTED: ({ submittedAt, submittedBy }) => `${printedMoment(submittedAt).slice(0, -3)} by ${submittedBy}`,
      }),
    }),
    count: operatorCommand(paymentOperations.operatorCountVariablePayments, {
      text: table(none, { PERIOD: 'billingPeriod', STATE: 'state', PAYMENTS: 'payments' }),
    }),
    approve: operatorCommand(paymentOperations.operatorApproveVariablePayment, {
      text: ({ id }) => `Payment ${id} is approved.\n`,
    }),
    reject: operatorCommand(paymentOperations.operatorRejectVariablePayment, {
      text: ({ id }) => `Payment ${id} is rejected.\n`,
    }),
  }),
};
