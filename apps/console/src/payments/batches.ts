import type { Console } from '../backend/console.ts';
import { Problem } from '../backend/problem.ts';
import type { Batch, User } from '../backend/records.ts';
import { totalsOf, type Totals } from '../model/totals.ts';
import { inboxView, PAGE_SIZE, type Bar, type InboxPage } from './payment-inbox.ts';
import { paymentStates, type PaymentState } from './payment-states.ts';
import type { Stop, Submissions } from './submissions.ts';

/** A batch, and what became of its payments. */
export interface ListedBatch extends Batch {
  /** The first one made it. The others sent payments of it again. */
  readonly submitters: readonly string[];
  readonly counts: Readonly<Partial<Record<PaymentState, number>>>;
}

/** Batches, the newest first. */
export interface BatchesPage {
  readonly batches: readonly ListedBatch[];
  readonly next: string | undefined;
}

/** A batch with a page of its payments, in their order. */
export interface BatchPage extends InboxPage, Omit<ListedBatch, 'counts'> {
  /** Of the payments in each state. */
  readonly states: readonly (Totals & { readonly state: PaymentState })[];
  /** Number of the payments that were not sent, and that the console still has. */
  readonly unsent: number;
  readonly isRunning: boolean;
  /** Why it ended before its last row. */
  readonly stop: Stop | undefined;
  /** Why the person who asks cannot decide on it. */
  readonly bar: Bar | undefined;
}

const MAX_BATCHES = 50;

/** Takes the decisions that were made since the last call. Without them, what is shown is what was known before. */
async function takeDecisions({ cloud }: Console): Promise<void> {
  await cloud.outbox.reconcile(cloud.hr).catch(() => undefined);
}

/**
 * Lists batches.
 *
 * @param from - `next` of the page before.
 */
export async function listBatches(
  context: Console,
  submissions: Submissions,
  from: string | undefined,
): Promise<BatchesPage> {
  const { records, cloud } = context;
  await takeDecisions(context);
  const batches = records.batches(MAX_BATCHES, from);
  return {
    batches: batches.map((batch): ListedBatch => {
      const { sent = 0, ...counts } = cloud.outbox.counts({ batch: batch.id });
      const rest = batch.totals.payments - Object.values(counts).reduce((sum, count) => sum + count, sent);
      const isRunning = submissions.isRunning(batch.id);
      return {
        ...batch,
        submitters: records.submitters(batch.id),
        counts: {
          ...counts,
          submitted: sent,
          ...(isRunning ? { sending: (counts.sending ?? 0) + rest } : { 'not-sent': rest }),
        },
      };
    }),
    next: batches.length === MAX_BATCHES ? batches.at(-1)?.id : undefined,
  };
}

/**
 * Reads a batch, and those of its payments that are in a state.
 *
 * @param from - `next` of the page before.
 * @throws {Problem} `not-found` if it was never started.
 */
export async function readBatch(
  context: Console,
  submissions: Submissions,
  user: User,
  { id, state, from = '0' }: { id: string; state?: PaymentState | undefined; from?: string | undefined },
): Promise<BatchPage> {
  const { records, cloud } = context;
  const batch = records.batch(id);
  if (batch === undefined) throw new Problem('not-found', 'This batch was never started, so nothing was sent.');
  const isRunning = submissions.isRunning(id);
  if (!isRunning) await takeDecisions(context);
  const view = inboxView(context, user);
  const entries = [...cloud.outbox.entries({ batch: id })];
  const unsent = submissions.unsentRows(id, entries);
  const rows = [
    ...entries.flatMap((entry) => (entry.resentAs === undefined ? view.ofOutbox(entry) : [])),
    ...unsent.map((row) => view.ofUnsent(batch, row, isRunning ? 'sending' : 'not-sent')),
  ].toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0));
  const ofState = Map.groupBy(rows, (one) => one.state);
  const shown = (state === undefined ? rows : (ofState.get(state) ?? [])).filter(({ row = 0 }) => row > Number(from));
  const { submitters, bar } = view.submission('', cloud.clientId, id);
  return {
    ...batch,
    submitters,
    bar,
    isRunning,
    stop: submissions.stopOf(id),
    unsent: isRunning ? 0 : unsent.length,
    states: paymentStates.flatMap((one) => {
      const some = ofState.get(one);
      return some ? [{ state: one, ...totalsOf(some.map(({ payment }) => payment)) }] : [];
    }),
    payments: shown.slice(0, PAGE_SIZE),
    next: shown.length > PAGE_SIZE ? String(shown[PAGE_SIZE - 1]?.row) : undefined,
  };
}
