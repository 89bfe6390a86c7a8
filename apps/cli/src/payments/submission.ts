import { createHash } from 'node:crypto';
import type { BulkOptions } from '@hr/client';
import type { Outbox, OutboxEntry } from '@hr/client/mirror';
import { exitCodes, type ExitCode } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { exitCodeOf, failureMessage, inTermsOfHr } from '../report-failure.ts';
import type { PaymentRow } from './payment-row.ts';

/** A row, and its number in the batch. */
export interface PlannedRow extends PaymentRow {
  readonly number: number;
}

/** What a run sends. */
export interface SubmissionPlan {
  /** The batch of the file in the outbox. */
  readonly batch: string;
  /** All rows. */
  readonly rows: readonly PlannedRow[];
  /** The rows to send: those without an entry in the batch, those that were refused, and unknown ones with a safe key. */
  readonly waiting: readonly PlannedRow[];
  /** Those of `waiting` that were sent before. */
  readonly repeated: readonly PlannedRow[];
  /** Those of `waiting` that equal a payment of another batch, which may be the same payment. */
  readonly submittedElsewhere: ReadonlySet<PlannedRow>;
}

const HASH_DIGITS = 16;

/**
 * Compares rows with the outbox. The batch is named by what the rows contain, so that a file is the same one under
 * another name and with its rows in another order.
 *
 * @param again - Whether to start another batch with the same rows, if all of them were submitted.
 */
export function submissionPlan(outbox: Outbox, given: readonly PaymentRow[], again: boolean): SubmissionPlan {
  const contents = given.map(({ content }) => content).toSorted();
  const numbers = new Map(contents.map((content, index) => [content, index + 1]));
  const rows = given.map((row) => {
    const number = numbers.get(row.content) ?? 0;
    // Equal rows have different numbers. Which of them has which does not matter.
    numbers.set(row.content, number - 1);
    return { ...row, number };
  });
  const hash = createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, HASH_DIGITS);

  let batch = hash;
  let waiting = waitingRows(outbox, batch, rows);
  if (again) {
    for (let run = 2; waiting.length === 0; run++) {
      batch = `${hash}/${run}`;
      waiting = waitingRows(outbox, batch, rows);
    }
  }
  const entries = entriesOf(outbox, batch);
  return {
    batch,
    rows,
    waiting,
    repeated: waiting.filter(({ number }) => entries.has(number)),
    submittedElsewhere: submittedElsewhere(outbox, batch, waiting),
  };
}

/**
 * The entries of a batch by number, while no request is in flight. An entry that was sent again is replaced by its
 * successor. One that is still `sending` is unknown: the outbox could not store its end, such as on a full disk.
 */
export function entriesOf(outbox: Outbox, batch: string): Map<number | undefined, OutboxEntry> {
  const inForce = [...outbox.entries({ batch })].filter(({ resentAs }) => resentAs === undefined);
  return new Map(
    inForce.map(({ message, ...entry }) => [
      entry.row,
      {
        ...entry,
        state: entry.state === 'sending' ? 'unknown' : entry.state,
        message: message && inTermsOfHr(message),
      },
    ]),
  );
}

function waitingRows(outbox: Outbox, batch: string, rows: readonly PlannedRow[]): PlannedRow[] {
  const entries = entriesOf(outbox, batch);
  return rows.filter(({ number }) => {
    const entry = entries.get(number);
    if (!entry || entry.state === 'refused') return true;
    return entry.state === 'unknown' && !outbox.mayPayTwice(entry);
  });
}

/** As many rows as there are equal payments in other batches, also if an administrator rejected those. A refused one had no effect. */
function submittedElsewhere(outbox: Outbox, batch: string, waiting: readonly PlannedRow[]): Set<PlannedRow> {
  const found = new Set<PlannedRow>();
  for (const [content, equal] of Map.groupBy(waiting, (row) => row.content)) {
    const others = [...outbox.entries({ content })].filter(
      (entry) => entry.batch !== batch && entry.state !== 'refused' && entry.resentAs === undefined,
    );
    for (const row of equal.slice(0, others.length)) found.add(row);
  }
  return found;
}

/** Why a run ended before its last row. */
export interface Stop {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/**
 * Sends rows. It stops when the person interrupts it, when nothing can be sent or stored, and after a payment that ends the
 * batch. Requests in flight are awaited.
 */
export async function sendPayments(
  context: Context,
  outbox: Outbox,
  batch: string,
  rows: readonly PlannedRow[],
): Promise<Stop | undefined> {
  if (rows.length === 0) return undefined;
  const hr = await context.client();
  const { signal, maxWait } = context;
  const onAbort = (): void => context.info('Interrupted. Waiting for the requests in flight.');
  signal.addEventListener('abort', onAbort, { once: true });
  let stop: Stop | undefined;
  try {
    using progress = context.progress('Submitting payments:');
    const payments = rows.map((row) => ({ ...row, row: row.number }));
    const onProgress: BulkOptions['onProgress'] = (each) => progress.update(each);
    for await (const entry of outbox.submitBatch(hr, batch, payments, { stop: signal, maxWait, onProgress })) {
      const { state, code, message = '' } = entry;
      if (state === 'unknown') stop ??= { message, exitCode: exitCodes.unknownOutcome };
      if (code === 'unauthorized' || code === 'forbidden') stop ??= { message, exitCode: exitCodes.authentication };
    }
  } catch (error) {
    stop ??= { message: failureMessage(error), exitCode: exitCodeOf(error) };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return stop;
}
