import { variablePaymentValues } from '@hr/schemas';
import type { VariablePayment } from '@hr/schemas';
import { Option } from 'commander';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { paymentStates } from '../database/payments.ts';
import type { PaymentState } from '../database/payments.ts';
import { withOperatorApi } from './operator-api.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './text-table.ts';

/** A variable payment as operators see it. */
interface OperatorPayment extends VariablePayment {
  readonly id: string;
  readonly state: PaymentState;
  readonly submittedBy: string;
  readonly submittedAt: string;
}

/** Adds `payments list|approve|reject`. */
export function addPaymentsCommand(program: Command, terminal: Terminal): void {
  const payments = program.command('payments').description('decide on variable payments');

  payments
    .command('list')
    .description('list variable payments, oldest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(paymentStates))
    .option('--json', 'print JSON')
    .action(async ({ state, json }: { state?: PaymentState; json?: true }) => {
      const query = state ? `?state=${state}` : '';
      const list = await withOperatorApi(readConfig(terminal.env), (operator) =>
        operator('GET', `/variable-payments${query}`),
      );
      terminal.stdout.write(json ? `${JSON.stringify(list)}\n` : listText(list as OperatorPayment[]));
    });

  for (const [name, participle] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    payments
      .command(name)
      .description(`${name} a submitted variable payment`)
      .argument('<id>', 'the id that `payments list` shows')
      .option('--reason <reason>', 'why, for the record')
      .option('--json', 'print JSON')
      .action(async (id: string, { reason, json }: { reason?: string; json?: true }) => {
        const payment = await withOperatorApi(readConfig(terminal.env), (operator) =>
          operator('POST', `/variable-payments/${encodeURIComponent(id)}/${name}`, { reason }),
        );
        terminal.stdout.write(json ? `${JSON.stringify(payment)}\n` : `Payment ${id} is ${participle}.\n`);
      });
  }
}

function listText(list: readonly OperatorPayment[]): string {
  if (list.length === 0) return 'There are no such payments.\n';
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
