import { randomUUID } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import type { OutboxEntry } from '@hr/client/mirror';
import { stringify } from 'csv-stringify/sync';
import { CliError, exitCodes } from '../cli-error.ts';
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

interface ResultFile extends AsyncDisposable {
  write(results: Results): Promise<void>;
}

const OWNER_ONLY = 0o600;
const columns = ['line', 'state', 'code', 'requestId', 'id', 'message', 'decidedAt', 'reason'] as const;
type Result = Partial<Record<(typeof columns)[number], string | number | undefined>>;

/**
 * Prepares a result file, so that a wrong place is an error before anything is sent. It deletes the result of an earlier
 * run, which is no longer true: after a crash there is none.
 */
export async function openResultFile(file: string): Promise<ResultFile> {
  const existing = await lstat(file).catch(() => undefined);
  if (existing && !existing.isFile() && !existing.isSymbolicLink()) {
    throw new CliError(`--result ${file}: it is not a file. Name another one.`, exitCodes.usage);
  }
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', OWNER_ONLY);
  await rm(file, { force: true });
  return {
    async write(results) {
      const { delimiter, bom = false } = results.file;
      await handle.writeFile(stringify([...linesOf(results)], { delimiter, bom }));
      await handle.sync();
      await rename(temporary, file);
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}

/** The lines of the file as they are, each with what became of it. */
function* linesOf({ file, rows, entries, skipped }: Results): Generator<readonly unknown[]> {
  const { header, records, faults } = file;
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
  yield [...header, ...columns.map((column) => (header.includes(column) ? `result.${column}` : column))];
  for (const [line, cells] of records) {
    const result = { ...(results.get(line) ?? { state: 'no-value' }), line };
    yield [...header.map((_, place) => cells[place]), ...columns.map((column) => result[column])];
  }
}
