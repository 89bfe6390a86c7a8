import type { Outbox, OutboxEntry, OutboxPayment, OutboxState } from '@hr/client/mirror';
import { VariablePayment, variablePaymentValues } from '@hr/schemas';
import { printable } from '@hr/text/printable';
import { sumOf } from '@hr/text/sum-of';
import { stringify } from 'csv-stringify/sync';
import { exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { columnsNamed, columnsOf } from '../output/columns-of.ts';
import type { RecordKind } from '../output/record-kind.ts';
import { inTermsOfHr } from '../report-failure.ts';
import type { PaymentFile } from './read-payments.ts';
import type { PlannedRow, Stop } from './submission.ts';

const MAX_ROWS_SHOWN = 20;
const order: readonly (OutboxState | undefined)[] = ['sent', 'approved', 'refused', 'rejected', 'unknown', undefined];
/** Nothing is left to do for these: the reason of a rejection is known. */
const explained: ReadonlySet<OutboxState | undefined> = new Set<OutboxState>(['sent', 'approved', 'rejected']);

/** What became of the rows of a file. */
interface Submission {
  readonly name: string;
  readonly file: PaymentFile;
  readonly rows: readonly PlannedRow[];
  /** The rows that equal a payment of another batch, and were left out. */
  readonly skipped: ReadonlySet<PlannedRow>;
  readonly entries: ReadonlyMap<number | undefined, OutboxEntry>;
  readonly stop: Stop | undefined;
  readonly outbox: Outbox;
}

/** Says what became of the payments, and how to go on. */
export function reportSubmission(context: Context, submission: Submission): void {
  const { name, skipped, entries, stop, outbox } = submission;
  const rows = submission.rows.filter((row) => !skipped.has(row));
  const { stderr } = context.terminal;
  const stateOf = ({ number }: PlannedRow): OutboxState | undefined => entries.get(number)?.state;
  const groups = Map.groupBy(rows, stateOf);
  const counts = order.flatMap((state) => {
    const { length } = groups.get(state) ?? [];
    return length > 0 ? [`${length.toLocaleString('en')} ${state ?? 'not sent'}`] : [];
  });
  context.info(`${name}: ${counts.join(', ')}`);
  for (const state of ['refused', 'rejected', 'unknown'] as const) {
    const ofState = groups.get(state) ?? [];
    for (const { line, number } of ofState.slice(0, MAX_ROWS_SHOWN)) {
      const entry = entries.get(number);
      if (entry) stderr.write(`  line ${line}: ${state}${cause(entry)}, entry ${entry.id}\n`);
    }
    if (ofState.length > MAX_ROWS_SHOWN) stderr.write(`  and ${ofState.length - MAX_ROWS_SHOWN} more ${state}\n`);
  }
  if (stop) stderr.write(`Stopped: ${inTermsOfHr(stop.message)}\n`);
  const unknown = (groups.get('unknown') ?? []).flatMap(({ number }) => entries.get(number) ?? []);
  const risky = unknown.filter((entry) => outbox.mayPayTwice(entry));
  if (risky.length > 0) {
    stderr.write(
      'An unknown payment may have been accepted, so this command does not send it again. Ask the payroll administrator, and record what you found out: hr payments resolve <entry> --as taken --note …\n',
    );
  }
  if (groups.has(undefined) || risky.length < unknown.length) {
    stderr.write(
      'To submit the rest, and to settle what is unknown, run the same command again. It pays none twice.\n',
    );
  }
}

const columns = ['line', 'state', 'code', 'requestId', 'id', 'message', 'decidedAt', 'reason'] as const;
type Result = Partial<Record<(typeof columns)[number], string | number | undefined>>;

/** The lines of the file as they are, each with what became of it. */
export function resultCsv({ file, rows, entries, skipped }: Submission): string {
  const { header, records, faults, delimiter, bom = false } = file;
  const notSent = (row: PlannedRow) => ({ state: skipped.has(row) ? 'submitted-before' : 'not-sent' });
  const ofRows = rows.map((row) => [row.line, entries.get(row.number) ?? notSent(row)] as const);
  const results = new Map<number, Result>(ofRows);
  for (const [line, ofLine] of Map.groupBy(faults, (fault) => fault.line)) {
    const message = ofLine.map(({ column, detail }) => `${column || 'the row'} ${detail}`).join('; ');
    results.set(line, { state: 'invalid', message });
  }
  const names = [...header, ...columns.map((column) => (header.includes(column) ? `result.${column}` : column))];
  const lines = Array.from(records, ([line, cells]) => {
    const result = { ...(results.get(line) ?? { state: 'no-value' }), line };
    return [...header.map((_, place) => cells[place]), ...columns.map((column) => result[column])];
  });
  return stringify([names, ...lines], { delimiter, bom });
}

/** Why a payment is in its state, as the rest of a sentence. */
export function cause({ state, reason, code, requestId }: OutboxEntry): string {
  if (state === 'rejected') return reason === undefined ? ' by an administrator' : `, ${printable(reason)}`;
  const request = requestId === undefined ? '' : `, request id ${requestId}`;
  return `, ${code ?? 'the program ended before the response'}${request}`;
}

/** The sum of each value that one of the payments has. */
export function sumsOf(payments: readonly OutboxPayment[]): Record<string, number> {
  return Object.fromEntries(
    variablePaymentValues.flatMap((name) => {
      const values = payments.flatMap((payment) => payment[name] ?? []);
      return values.length === 0 ? [] : [[name, sumOf(values)]];
    }),
  );
}

/** The exit code for the states of payments; undefined for one that was not sent. */
export function exitCodeOfStates(
  states: readonly (OutboxState | undefined)[],
  isInterrupted: boolean,
  stop?: Stop,
): number | undefined {
  if (states.includes('unknown')) return exitCodes.unknownOutcome;
  if (isInterrupted) return exitCodes.interrupted;
  if (states.every((state) => explained.has(state))) return undefined;
  if (states.some((state) => explained.has(state))) return exitCodes.partial;
  return stop?.exitCode ?? exitCodes.rejected;
}

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
