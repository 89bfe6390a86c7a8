import type { OutboxEntry } from '@hr/client/mirror';
import type { Console } from '../backend/console.ts';
import type { OperatorPayment } from '../backend/operator-client.ts';
import type { User } from '../backend/records.ts';

/** Why a person cannot decide on a payment. */
export type Bar = 'own' | 'unknown-submitter';

/** Returns the entry of the outbox of which a payment of the service is; undefined if it is of another program. */
export function entryOf({ cloud }: Console, { submittedBy, idempotencyKey }: OperatorPayment): OutboxEntry | undefined {
  return submittedBy === cloud.clientId && idempotencyKey !== undefined
    ? cloud.outbox.entry(idempotencyKey)
    : undefined;
}

/**
 * Returns the people who submitted payments of the batch of an entry, or sent some again. They are recorded before the
 * first payment is sent, so they are known even if the console ends at any moment.
 */
export function submittersOf({ records }: Console, entry: OutboxEntry | undefined): string[] {
  return records.submitters(entry?.batch ?? '');
}

/**
 * Returns why a person cannot decide on a payment of a client. Nobody decides in the console on a payment of its own client
 * whose submitters it does not know, such as after its folder was lost: it may be the person's own.
 */
export function barOf(
  { cloud }: Console,
  { name }: User,
  clientId: string,
  submitters: readonly string[],
): Bar | undefined {
  if (clientId !== cloud.clientId) return undefined;
  if (submitters.includes(name)) return 'own';
  return submitters.length === 0 ? 'unknown-submitter' : undefined;
}
