import { randomUUID } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import type { OutboxEntry } from '@hr/client/mirror';
import { stringify } from 'csv-stringify/sync';
import { CliError, exitCodes } from '../cli-error.ts';
import type { RowFault } from './payment-row.ts';
import type { PlannedRow } from './submission-plan.ts';

/** What became of the rows of a file. */
interface Results {
  readonly rows: readonly PlannedRow[];
  readonly faults: readonly RowFault[];
  readonly entries: ReadonlyMap<number | undefined, OutboxEntry>;
  /** The rows that equal a payment of another batch. */
  readonly skipped: ReadonlySet<PlannedRow>;
  readonly delimiter: string;
}

interface ResultFile extends AsyncDisposable {
  write(results: Results): Promise<void>;
}

const OWNER_ONLY = 0o600;
const columns = [
  'line',
  'contractId',
  'billingPeriod',
  'state',
  'code',
  'requestId',
  'id',
  'message',
  'decidedAt',
  'reason',
];

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
      await handle.writeFile(stringify(linesOf(results), { header: true, columns, delimiter: results.delimiter }));
      await handle.sync();
      await rename(temporary, file);
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}

function linesOf({ rows, faults, entries, skipped }: Results): Record<string, unknown>[] {
  const sent = rows.map((row) => {
    const { line, contractId, payment, number } = row;
    const entry = entries.get(number) ?? { state: withoutEntry(skipped.has(row)) };
    return { ...entry, line, contractId, billingPeriod: payment.billingPeriod };
  });
  const invalid = [...Map.groupBy(faults, ({ line }) => line)].map(([line, ofLine]) => {
    const message = ofLine.map(({ column, detail }) => `${column || 'the row'} ${detail}`).join('; ');
    return { line, state: 'invalid', message };
  });
  return [...sent, ...invalid].toSorted((one, other) => one.line - other.line);
}

function withoutEntry(isSkipped: boolean): string {
  return isSkipped ? 'submitted-before' : 'not-sent';
}
