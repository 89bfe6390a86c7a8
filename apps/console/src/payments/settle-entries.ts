import { bulk } from '@hr/client';
import { isMirrorError, type OutboxEntry } from '@hr/client/mirror';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { Problem } from '../backend/problem.ts';
import { contractRights } from '../backend/contract-persons.ts';
import type { Asker } from '../backend/sessions.ts';

/** A request with a key is sent for 23 hours at most. After another hour, none of them can still arrive. */
const LAST_ARRIVAL_MS = 24 * 3_600_000;

/** Which payments of the outbox: one, those of a batch, or all. */
export const EntriesInput = z.strictObject({ entryId: z.uuid().optional(), batch: z.uuid().optional() });
type EntriesInput = z.infer<typeof EntriesInput>;

/** What the service says of payments whose outcome was unknown. */
export type Settlement = Awaited<ReturnType<typeof settleEntries>>;
/** What became of payments that were sent again. */
export type Resent = Awaited<ReturnType<typeof resendEntries>>;

/** Asks the service for payments whose outcome is unknown, by their keys, and stores what it says. */
export async function settleEntries(context: Console, asker: Asker, input: EntriesInput) {
  const { cloud, live } = context;
  const { outbox, operator, hr, clientId } = cloud;
  const { name } = asker.user;
  const unknown = entriesOf(context, asker, input).filter(({ state }) => state === 'unknown');
  const asked = unknown.map(({ id }) => id);
  const listed = await operator.paymentsWith('idempotencyKey', asked, { submittedBy: clientId });
  const known = new Set(listed.map(({ idempotencyKey }) => idempotencyKey));
  /** Those that it has, those that it cannot get any more, and those that it may still get. */
  const counts = { accepted: 0, notAccepted: 0, unknown: 0 };
  for (const { id, sentAt } of unknown) {
    // Another person may have sent it again meanwhile.
    if (outbox.entry(id)?.state !== 'unknown') continue;
    if (known.has(id)) {
      outbox.resolve(id, 'taken', `${name}: the service lists the key`);
      counts.accepted++;
    } else if (Date.now() - Date.parse(sentAt) > LAST_ARRIVAL_MS) {
      outbox.resolve(id, 'not-taken', `${name}: the service does not list the key`);
      counts.notAccepted++;
    } else counts.unknown++;
  }
  await outbox.reconcile(hr);
  live.announce('payments');
  return counts;
}

/** Sends payments again: a single one, or those of which none can be paid twice. */
export async function resendEntries(context: Console, asker: Asker, input: EntriesInput) {
  const { cloud, records, live } = context;
  const { outbox, hr } = cloud;
  const { user, viewNow } = asker;
  const entries = entriesOf(context, asker, input).filter((entry) => !outbox.mayPayTwice(entry));
  // Before the requests, so that it is known whose payments they are even if the console ends meanwhile.
  for (const { id, batch } of entries) {
    if (batch !== undefined) records.addSubmitter(batch, user);
    records.record(user, 'resend-payment', id);
  }
  const counts = { sent: 0, refused: 0, unknown: 0 };
  try {
    const resend = async ({ id, contractId }: OutboxEntry): Promise<OutboxEntry | undefined> => {
      const now = viewNow();
      return now && contractRights(now)(contractId, 'editor', 'pay') ? await outbox.resend(hr, id) : undefined;
    };
    for await (const entry of bulk(entries, resend)) {
      const state = entry?.state;
      if (state === 'sent' || state === 'refused' || state === 'unknown') counts[state]++;
    }
  } catch (error) {
    if (!isMirrorError(error) || error.code === 'cannot-store') throw error;
    throw new Problem('conflict', `A payment cannot be sent again: ${error.code}.`);
  } finally {
    live.announce('payments');
  }
  return counts;
}

/** The entries that a person can settle or send again: unknown ones, and those that the service certainly does not have. */
function entriesOf({ cloud: { outbox } }: Console, { view }: Asker, { entryId, batch }: EntriesInput): OutboxEntry[] {
  const may = contractRights(view);
  if (entryId !== undefined) {
    const entry = outbox.entry(entryId);
    if (entry === undefined || !may(entry.contractId, 'pay'))
      throw new Problem('not-found', 'The outbox has no such entry.');
    if (!may(entry.contractId, 'editor', 'pay'))
      throw new Problem('forbidden', 'This needs a grant with editor, pay for the person of the payment.');
    return [entry];
  }
  const notTaken = [...outbox.entries({ state: 'refused', batch })].filter(
    ({ resolvedAt }) => resolvedAt !== undefined,
  );
  return [...outbox.entries({ state: 'unknown', batch }), ...notTaken].filter(
    ({ resentAs, contractId }) => resentAs === undefined && may(contractId, 'editor', 'pay'),
  );
}
