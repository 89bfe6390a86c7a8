import type { OutboxEntry } from '@hr/client/mirror';
import { stringify } from 'csv-stringify/sync';
import type { PaymentFile } from './read-payments.ts';
import type { PlannedRow } from './submission-plan.ts';

/** What became of the rows of a file. */
interface Results {
  readonly file: PaymentFile;
  readonly rows: readonly PlannedRow[];
  readonly entries: ReadonlyMap<number | undefined, OutboxEntry>;
  /** The rows that equal a payment of another batch. */
  readonly skipped: ReadonlySet<PlannedRow>;
}

const columns = ['line', 'state', 'code', 'requestId', 'id', 'message', 'decidedAt', 'reason'] as const;
type Result = Partial<Record<(typeof columns)[number], string | number | undefined>>;

/** The lines of the file as they are, each with what became of it. */
export function resultCsv({ file, rows, entries, skipped }: Results): string {
  const { header, records, faults, delimiter, bom = false } = file;
  const results = new Map<number, Result>(
    rows.map((row) => [
      row.line,
      entries.get(row.number) ?? { state: skipped.has(row) ? 'submitted-before' : 'not-sent' },
    ]),
  );
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
