import type { DatabaseSync } from 'node:sqlite';
import type { HrClient } from '../hr-client.ts';
import { isHrError, type HrError } from '../hr-error.ts';
import { paymentContent } from './payment-content.ts';
import { transaction } from './private-database.ts';

/**
 * What a comparison with the approved payments of the service found.
 *
 * @sealed
 */
export interface Reconciliation {
  /** Number of entries that it marked as `approved`. */
  readonly approved: number;
  /** Number of entries that are still `sent` or `unknown`. */
  readonly open: number;
  /** Contracts that the service does not know, or whose payments it does not list (404). */
  readonly unreadableContracts: readonly string[];
  /** The reason why no payments can be read: the service does not list them, or not for this client (403, 405). */
  readonly unsupported: HrError | undefined;
}

/** Options of `reconcile`. */
export interface ReconcileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of requests that are done, one for each contract and billing period. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

const METHOD_NOT_ALLOWED = 405;
const CONCURRENCY = 4;

/**
 * Marks entries as approved. Equal payments look the same, so it counts them, and only counts what is certain:
 *
 * - No more entries are approved than the service lists equal payments.
 * - Payments that were listed beyond all equal entries are of other programs, for good.
 * - An unknown payment may not be among those listed, so the `sent` ones come first.
 */
export async function reconcilePayments(
  database: DatabaseSync,
  hr: HrClient,
  { signal, onProgress }: ReconcileOptions,
): Promise<Reconciliation> {
  const isOpen = "state in ('sent', 'unknown')";
  const count = (): number =>
    database.prepare(`select count(*) as n from entry where ${isOpen}`).get()?.['n'] as number;
  const before = count();
  const unreadableContracts = new Set<string>();
  let unsupported: HrError | undefined;
  let done = 0;

  async function check(contract: string, period: string): Promise<void> {
    try {
      const listed = await hr.payroll.variablePayments(contract, { billingPeriod: period }, { signal });
      const contents = listed.map((payment) => paymentContent(contract, payment));
      transaction(database, () => {
        for (const [content, { length }] of Map.groupBy(contents, (text) => text))
          markApproved(database, content, length);
      });
    } catch (error) {
      if (!isHrError(error)) throw error;
      if (error.code === 'not-found') unreadableContracts.add(contract);
      else if (error.code === 'forbidden' || error.status === METHOD_NOT_ALLOWED) unsupported ??= error;
      else throw error;
    }
    onProgress?.(++done);
  }

  const concerned = database
    .prepare(`select distinct contract_id as contract, billing_period as period from entry where ${isOpen}`)
    .all() as { contract: string; period: string }[];
  const waiting = concerned.values();
  async function work(): Promise<void> {
    try {
      for (const { contract, period } of waiting) {
        if (unsupported) return;
        // oxlint-disable-next-line no-await-in-loop -- each worker reads one list at a time
        await check(contract, period);
      }
    } finally {
      // A failure ends the other workers, too.
      for (const _ of waiting);
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const open = count();
  return { approved: before - open, open, unreadableContracts: [...unreadableContracts], unsupported };
}

function markApproved(database: DatabaseSync, content: string, listed: number): void {
  const elsewhere = database.prepare('select count from approved_elsewhere where content = ?').get(content);
  const { approved, sending } = database
    .prepare(
      `select count(*) filter (where state = 'approved') as approved, count(*) filter (where state = 'sending') as sending
       from entry where content = ?`,
    )
    .get(content) as { approved: number; sending: number };
  const available = listed - approved - ((elsewhere?.['count'] as number | undefined) ?? 0);
  if (available <= 0) return;
  const { changes } = database
    .prepare(
      `update entry set state = 'approved' where number in (
        select number from entry where content = ? and state in ('sent', 'unknown') order by state = 'unknown', number limit ?
      )`,
    )
    .run(content, available);
  const rest = available - Number(changes) - sending;
  if (rest <= 0) return;
  database
    .prepare(
      'insert into approved_elsewhere values (?, ?) on conflict (content) do update set count = count + excluded.count',
    )
    .run(content, rest);
}
