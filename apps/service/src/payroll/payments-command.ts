import { Option } from 'commander';
import type { Command } from 'commander';
import { paymentStates } from './variable-payments.ts';
import type { PaymentState } from './variable-payments.ts';
import { callOperator } from '../operator/operator-api.ts';
import type { OperatorResponse } from '../operator/operator-api.ts';
import type { Terminal } from '../commands/terminal.ts';
import { textTable } from '../commands/terminal.ts';

/** Adds `payments list|approve|reject`. */
export function addPaymentsCommand(program: Command, terminal: Terminal): void {
  const payments = program.command('payments').description('decide on variable payments');

  payments
    .command('list')
    .description('list variable payments, oldest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(paymentStates))
    .option('--json', 'print JSON')
    .action(async ({ state, json }: { state?: PaymentState; json?: true }) => {
      const list = await callOperator(terminal, 'operatorListVariablePayments', { query: { state } });
      terminal.stdout.write(json ? `${JSON.stringify(list)}\n` : await listText(list));
    });

  for (const [name, id, participle] of [
    ['approve', 'operatorApproveVariablePayment', 'approved'],
    ['reject', 'operatorRejectVariablePayment', 'rejected'],
  ] as const) {
    payments
      .command(name)
      .description(`${name} a submitted variable payment`)
      .argument('<id>', 'the id that `payments list` shows')
      .option('--reason <reason>', 'why, for the record')
      .option('--json', 'print JSON')
      .action(async (paymentId: string, { reason, json }: { reason?: string; json?: true }) => {
        const payment = await callOperator(terminal, id, { path: { paymentId }, body: { reason } });
        terminal.stdout.write(json ? `${JSON.stringify(payment)}\n` : `Payment ${paymentId} is ${participle}.\n`);
      });
  }
}

async function listText(list: OperatorResponse<'operatorListVariablePayments'>): Promise<string> {
  if (list.length === 0) return 'There are no such payments.\n';
  const { variablePaymentValues } = await import('@hr/schemas');
  const rows = list.map((payment) => [
    payment.id,
    payment.state,
    payment.payrollContractId,
    payment.billingPeriod,
    payment.compensationComponentId,
    variablePaymentValues.flatMap((name) => (payment[name] === undefined ? [] : `${name} ${payment[name]}`)).join(', '),
    `${payment.submittedAt.slice(0, 16).replace('T', ' ')} by ${payment.submittedBy}`,
  ]);
  return textTable([['ID', 'STATE', 'CONTRACT', 'PERIOD', 'COMPONENT', 'VALUES', 'SUBMITTED'], ...rows]);
}
