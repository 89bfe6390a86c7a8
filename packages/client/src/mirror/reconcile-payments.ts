import type { DatabaseSync } from 'node:sqlite';
import { bulk, type BulkProgress } from '../bulk.ts';
import type { CallOptions } from '../hr-client-options.ts';
import type { HrClient, VariablePaymentDecision } from '../hr-client.ts';
import { isHrError, type HrError } from '../hr-error.ts';
import { isUnavailable } from './is-unavailable.ts';
import type { OutboxEntry } from './outbox.ts';
import { paymentContent } from './payment-content.ts';
import { transaction } from './private-database.ts';

/**
 * What became of the payments of an outbox.
 *
 * @sealed
 */
export interface Reconciliation {
  /** Number of entries that it marked as `approved`. */
  readonly approved: number;
  /** Number of entries that it marked as `rejected`. */
  readonly rejected: number;
  /** Number of entries that are still `sent` or `unknown`. */
  readonly open: number;
  /**
   * The reason why no decisions can be read: the service does not list them, or not for this client (403, 404, 405). Then
   * it compared entries with the approved payments, and those that were rejected are still open.
   */
  readonly withoutDecisions: HrError | undefined;
  /** Contracts that the service does not know, or whose payments it does not list (404). */
  readonly unreadableContracts: readonly string[];
  /** The reason why no approved payments can be read to compare: the service does not list them (403, 405). */
  readonly unsupported: HrError | undefined;
}

/** Options of `reconcile`. */
export interface ReconcileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives how many contracts and billing periods are compared. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
  /** Receives each entry that is marked as `approved` or `rejected`, after that is stored. */
  readonly onDecided?: ((entry: OutboxEntry) => void) | undefined;
}

const GONE = 410;
const CONCURRENCY = 4;

/** A contract and a month with payments to compare. */
interface Concerned {
  readonly contract: string;
  readonly period: string;
}

const OPEN = "state in ('sent', 'unknown')";
/**
 * Whether the decision on the payment of an entry may be one without a key. Once a decision had the key of an entry, the
 * service keeps the keys of all later ones.
 */
const KEYLESS = `content in (select content from without_key)
  and number < coalesce((select min(number) from entry where decided_at is not null), number + 1)`;

/** Marks entries as approved and rejected: by decisions, and by a comparison where those have no keys. */
export async function reconcilePayments(
  database: DatabaseSync,
  hr: HrClient,
  { signal, onProgress, onDecided }: ReconcileOptions,
  entryOf: (id: string) => OutboxEntry | undefined,
): Promise<Reconciliation> {
  const counts = { approved: 0, rejected: 0 };
  function report(ids: readonly string[]): void {
    for (const entry of ids.map(entryOf)) {
      if (entry?.state !== 'approved' && entry?.state !== 'rejected') continue;
      counts[entry.state]++;
      onDecided?.(entry);
    }
  }

  let withoutDecisions: HrError | undefined;
  try {
    report(await takeDecisions(database, hr, signal));
  } catch (error) {
    if (!isHrError(error) || !isUnavailable(error)) throw error;
    withoutDecisions = error;
  }

  const unreadableContracts = new Set<string>();
  let unsupported: HrError | undefined;
  const compared = withoutDecisions ? OPEN : `${OPEN} and ${KEYLESS}`;

  async function check({ contract, period }: Concerned, call: CallOptions): Promise<void> {
    try {
      const listed = await hr.payroll.variablePayments(contract, { billingPeriod: period }, call);
      const contents = listed.map((payment) => paymentContent(contract, payment));
      const marked = transaction(database, () =>
        [...Map.groupBy(contents, (text) => text)].flatMap(([content, { length }]) =>
          markApproved(database, compared, content, length),
        ),
      );
      report(marked);
    } catch (error) {
      if (!isHrError(error)) throw error;
      if (error.code === 'not-found') unreadableContracts.add(contract);
      else if (isUnavailable(error)) unsupported ??= error;
      else throw error;
    }
  }

  const concerned = database
    .prepare(`select distinct contract_id as contract, billing_period as period from entry where ${compared}`)
    .all() as unknown as Concerned[];
  for await (const _ of bulk(concerned, check, { concurrency: CONCURRENCY, signal, onProgress })) {
    if (unsupported) break;
  }
  const open = database.prepare(`select count(*) as n from entry where ${OPEN}`).get()?.['n'] as number;
  return { ...counts, open, withoutDecisions, unreadableContracts: [...unreadableContracts], unsupported };
}

/**
 * Marks the entries with the keys of new decisions, and returns the ids of those whose state is another. It stores the
 * cursor in the same transaction.
 */
async function takeDecisions(database: DatabaseSync, hr: HrClient, signal: AbortSignal | undefined): Promise<string[]> {
  const stored = database.prepare('select cursor from decisions').get()?.['cursor'] as string | null;
  const { decisions, cursor } = await decisionsAfter(hr, stored ?? undefined, signal);
  // After a restore of the service, a payment may be decided anew.
  const find = database.prepare(
    'select state from entry where id = ? and (decided_at is null or decided_at <> ? or state <> ?)',
  );
  const mark = database.prepare(
    'update entry set state = ?, decided_at = ?, reason = ?, compared_from = null where id = ?',
  );
  const addKeyless = database.prepare('insert or ignore into without_key values (?)');
  return transaction(database, () => {
    const changed: string[] = [];
    for (const { idempotencyKey, state, decidedAt, reason, ...payment } of decisions) {
      if (state !== 'approved' && state !== 'rejected') continue;
      if (!idempotencyKey) {
        if (state === 'approved') addKeyless.run(paymentContent(payment.payrollContractId, payment));
        continue;
      }
      const entry = find.get(idempotencyKey, decidedAt, state);
      if (!entry) continue;
      mark.run(state, decidedAt, reason ?? null, idempotencyKey);
      if (entry['state'] !== state) changed.push(idempotencyKey);
    }
    // A comparison may have taken an equal payment for that of the entry. Its own decision would be in the list.
    database.exec(
      `update entry set state = compared_from, compared_from = null
       where compared_from is not null and not (${KEYLESS})`,
    );
    database.prepare('update decisions set cursor = ?').run(cursor ?? null);
    return changed;
  });
}

async function decisionsAfter(
  hr: HrClient,
  after: string | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly decisions: VariablePaymentDecision[]; readonly cursor: string | undefined }> {
  const list = hr.payroll.decisions({ after }, { signal });
  try {
    return { decisions: await list, cursor: list.cursor };
  } catch (error) {
    if (after === undefined || !isHrError(error) || error.status !== GONE) throw error;
    return await decisionsAfter(hr, undefined, signal);
  }
}

/**
 * Marks entries as approved, and returns their ids. Equal payments look the same, so it counts them, and only counts what
 * is certain:
 *
 * - No more entries are approved than the service lists equal payments.
 * - Payments that were listed beyond all equal entries are of other programs, for good.
 * - An unknown payment may not be among those listed, so the `sent` ones come first.
 */
function markApproved(database: DatabaseSync, compared: string, content: string, listed: number): string[] {
  const elsewhere = database.prepare('select count from approved_elsewhere where content = ?').get(content);
  const { approved, open } = database
    .prepare(
      `select count(*) filter (where state = 'approved') as approved,
         count(*) filter (where ${OPEN} or state = 'sending') as open
       from entry where content = ?`,
    )
    .get(content) as { approved: number; open: number };
  const available = listed - approved - ((elsewhere?.['count'] as number | undefined) ?? 0);
  if (available <= 0) return [];
  const marked = database
    .prepare(
      `update entry set compared_from = state, state = 'approved' where number in (
        select number from entry where content = ? and ${compared} order by state = 'unknown', number limit ?
      ) returning id`,
    )
    .all(content, available);
  if (available > open) {
    database
      .prepare(
        'insert into approved_elsewhere values (?, ?) on conflict (content) do update set count = count + excluded.count',
      )
      .run(content, available - open);
  }
  return marked.map(({ id }) => id as string);
}
