import { VariablePayment } from '@hr/schemas';
import type { OutboxEntry } from '@hr/client/mirror';
import { z } from 'zod';
import { kindOf } from '../output/columns-of.ts';
import { inTermsOfHr } from '../report-failure.ts';

const OutboxRecord = z.strictObject({
  id: z.string(),
  state: z.string(),
  contractId: z.string(),
  ...VariablePayment.omit({ payrollContractId: true }).partial().shape,
  sentAt: z.string(),
  code: z.string().optional(),
  requestId: z.string().optional(),
  message: z.string().optional(),
  batch: z.string().optional(),
  resentAs: z.string().optional(),
  decidedAt: z.string().optional(),
  reason: z.string().optional(),
  resolvedAt: z.string().optional(),
  note: z.string().optional(),
});
type OutboxRecord = z.output<typeof OutboxRecord>;

/** Submitted payments. */
export const outboxKind = kindOf<OutboxRecord>('submitted payments', OutboxRecord, {
  table: [
    'id',
    'state',
    'contractId',
    'billingPeriod',
    'compensationComponentId',
    'amount',
    'sentAt',
    'code',
    'reason',
  ],
});

/** An entry as one flat record. Its row is a number in the batch, and not the line of the file. */
export function outboxRecord(entry: OutboxEntry): OutboxRecord {
  const { payment, row: _row, message, ...rest } = entry;
  return { ...rest, ...payment, ...(message !== undefined && { message: inTermsOfHr(message) }) };
}
