import type { OutboxEntry, OutboxPayment } from '@hr/client/mirror';
import { VariablePayment } from '@hr/schemas';
import { columnsOf, columnsNamed } from '../output/columns-of.ts';
import type { RecordKind } from '../output/record-kind.ts';
import { inTermsOfHr } from '../report-failure.ts';

type OutboxRecord = Omit<OutboxEntry, 'payment' | 'row'> & OutboxPayment;

/** Submitted payments. */
export const outboxKind: RecordKind<OutboxRecord> = {
  name: 'submitted payments',
  columns: [
    ...columnsNamed('string', 'id', 'state', 'contractId'),
    ...columnsOf(VariablePayment.omit({ payrollContractId: true })),
    ...columnsNamed('string', 'sentAt', 'code', 'requestId', 'message', 'batch', 'resentAs'),
    ...columnsNamed('string', 'decidedAt', 'reason', 'resolvedAt', 'note'),
  ],
  table: 'id state contractId billingPeriod compensationComponentId amount sentAt code reason'.split(' '),
};

/** An entry as one flat record. Its row is a number in the batch, and not the line of the file. */
export function outboxRecord(entry: OutboxEntry): OutboxRecord {
  const { payment, row: _row, message, ...rest } = entry;
  return { ...rest, ...payment, message: message && inTermsOfHr(message) };
}
