import type { HrErrorCode } from '@hr/client';
import type { Outbox, OutboxEntry } from '@hr/client/mirror';
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
  const send = ({ contractId, payment, number }: PlannedRow): Promise<OutboxEntry> => {
    const entry = before.get(number);
    return entry ? outbox.resend(hr, entry.id) : outbox.submit(hr, contractId, payment, { batch, row: number });
  };
  const onAbort = (): void => context.info('Interrupted. Waiting for the requests in flight.');
  context.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const entries = context.bulk('Submitting payments:', rows, send, { concurrency: CONCURRENCY });
    for await (const { state, code, message = '' } of entries) {
      if (state === 'unknown') return { message, exitCode: exitCodes.unknownOutcome };
      if (systematic.has(code)) return { message, exitCode: exitCodes.authentication };
    }
    return undefined;
  } catch (error) {
    return context.signal.aborted ? undefined : { message: failureMessage(error), exitCode: exitCodeOf(error) };
  } finally {
    context.signal.removeEventListener('abort', onAbort);
  }
}
