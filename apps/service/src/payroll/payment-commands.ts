import { variablePaymentValues } from '@hr/schemas';
import { printedMoment } from '../terminal/terminal.ts';
import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import { paymentOperations } from './payment-operations.ts';

const none = 'There are no such payments.';

/** The values that there are, such as `amount 250, days 1`. */
function valuesOf(one: Partial<Record<(typeof variablePaymentValues)[number], number | undefined>>): string {
  return variablePaymentValues.flatMap((name) => (one[name] === undefined ? [] : `${name} ${one[name]}`)).join(', ');
}

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
        VALUES: (payment) => valuesOf(payment),
        SUBMITTED: ({ submittedAt, submittedBy }) => `${printedMoment(submittedAt).slice(0, -3)} by ${submittedBy}`,
      }),
    }),
    count: operatorCommand(paymentOperations.operatorCountVariablePayments, {
      text: table(none, {
        PERIOD: 'billingPeriod',
        STATE: 'state',
        PAYMENTS: 'payments',
        SUMS: (count) => valuesOf(count),
      }),
    }),
    approve: operatorCommand(paymentOperations.operatorApproveVariablePayment, {
      text: ({ id }) => `Payment ${id} is approved.\n`,
    }),
    reject: operatorCommand(paymentOperations.operatorRejectVariablePayment, {
      text: ({ id }) => `Payment ${id} is rejected.\n`,
    }),
  }),
};
