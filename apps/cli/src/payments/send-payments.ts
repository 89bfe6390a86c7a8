import type { HrErrorCode } from '@hr/client';
import type { Outbox } from '@hr/client/mirror';
import type { Context } from '../context.ts';
import { exitCodes, type ExitCode } from '../cli-error.ts';
import { exitCodeOf, failureMessage } from '../report-failure.ts';
import { entriesOf, type PlannedRow } from './submission-plan.ts';

/** Why a run ended before its last row. */
export interface Stop {
  readonly message: string;
  readonly exitCode: ExitCode;
}

const CONCURRENCY = 4;

/** Codes of refusals that are not about one payment: every other one would be refused too. */
const systematic: ReadonlySet<HrErrorCode | undefined> = new Set<HrErrorCode>([
  'token-unavailable',
  'unauthorized',
  'forbidden',
  'rate-limited',
]);

/**
 * Sends rows, a few at the same time. It stops when the person interrupts it, when nothing can be sent or stored, and
 * after an unknown outcome, because people have to look into each of them. Requests in flight are awaited.
 */
export async function sendPayments(
  context: Context,
  outbox: Outbox,
  batch: string,
  rows: readonly PlannedRow[],
): Promise<Stop | undefined> {
  if (rows.length === 0) return undefined;
  const hr = await context.client();
  const before = entriesOf(outbox, batch);
  using progress = context.progress('Submitting payments:', rows.length);
  const waiting = rows.values();
  let done = 0;
  let stop: Stop | undefined;
  const onAbort = (): void => {
    progress[Symbol.dispose]();
    context.info('Interrupted. Waiting for the requests in flight.');
  };
  context.signal.addEventListener('abort', onAbort, { once: true });

  async function send({ contractId, payment, number }: PlannedRow): Promise<void> {
    const refused = before.get(number);
    try {
      const {
        state,
        code,
        message = '',
      } = refused
        ? await outbox.resend(hr, refused.id)
        : await outbox.submit(hr, contractId, payment, { batch, row: number });
      if (state === 'unknown') stop ??= { message, exitCode: exitCodes.unknownOutcome };
      if (systematic.has(code)) {
        stop ??= { message, exitCode: code === 'rate-limited' ? exitCodes.failure : exitCodes.authentication };
      }
    } catch (error) {
      stop ??= { message: failureMessage(error), exitCode: exitCodeOf(error) };
    }
    progress.update(++done);
  }

  async function work(): Promise<void> {
    for (const row of waiting) {
      if (stop || context.signal.aborted) return;
      // oxlint-disable-next-line no-await-in-loop -- each worker sends one at a time
      await send(row);
    }
  }

  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    context.signal.removeEventListener('abort', onAbort);
  }
  return stop;
}
