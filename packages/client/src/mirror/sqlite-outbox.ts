import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { isHrError, type HrError } from '../hr-error.ts';
import type { HrClient } from '../hr-client.ts';
import type {
  BatchPayment,
  Outbox,
  OutboxEntry,
  OutboxOptions,
  OutboxPayment,
  OutboxQuery,
  OutboxState,
  ResendOptions,
  SubmitBatchOptions,
  SubmitOptions,
} from './outbox.ts';
import { isMirrorError, MirrorError } from './mirror-error.ts';
import { openLock, openOutboxDatabase, outboxKind } from './outbox-database.ts';
import { paymentContent } from './payment-content.ts';
import { isBusy, storageError, transaction } from './private-database.ts';
import { reconcilePayments, type Reconciliation, type ReconcileOptions } from './reconcile-payments.ts';
import { submitBatch } from './submit-batch.ts';

/** Services keep a key for 24 hours. An hour is left for clocks that differ and for retries. */
const SAFE_KEY_AGE_MS = 23 * 3_600_000;

/** An outbox in a SQLite file. */
export class SqliteOutbox implements Outbox {
  readonly #file: string;
  readonly #isKeyed: boolean;
  readonly #database: DatabaseSync;
  #lock: DatabaseSync | undefined;
  /** Number of those who hold the lock in this process. */
  #holders = 0;
  #isClosed = false;

  constructor({ file, source, idempotency = 'unsupported' }: OutboxOptions) {
    // An absolute path is never read as a URI.
    this.#file = resolve(file);
    this.#isKeyed = idempotency === 'provider-supports';
    this.#database = openOutboxDatabase(this.#file, source);
    try {
      // Holding the lock recovers them. Otherwise do not take it: it would be in the way of another process.
      const found = this.#database.prepare("select 1 from entry where state = 'sending'").get();
      if (found) this.hold()[Symbol.dispose]();
    } catch (thrown) {
      const error = storageError(outboxKind, this.#file, thrown);
      // Another process sends these entries right now, or the disk is full. The entries can be read.
      if (isMirrorError(error) && (error.code === 'outbox-busy' || error.code === 'cannot-write')) return;
      this.close();
      throw error;
    }
  }

  async submit(
    hr: HrClient,
    contractId: string,
    payment: OutboxPayment,
    { batch, row, signal }: SubmitOptions = {},
  ): Promise<OutboxEntry> {
    using _ = this.hold();
    const id = transaction(this.#database, () => {
      if (batch !== undefined && row !== undefined) this.#rejectSubmitted(batch, row);
      return this.#insert(contractId, payment, batch, row);
    });
    return await this.#send(hr, id, signal, 'refused', () => this.#delete(id));
  }

  async *submitBatch(
    hr: HrClient,
    batch: string,
    payments: Iterable<BatchPayment>,
    options: SubmitBatchOptions = {},
  ): AsyncGenerator<OutboxEntry, void, undefined> {
    using _ = this.hold();
    yield* submitBatch(this, hr, batch, payments, options);
  }

  async resend(hr: HrClient, id: string, { mayPayTwice, signal }: ResendOptions = {}): Promise<OutboxEntry> {
    using _ = this.hold();
    const entry = this.entry(id);
    if (!entry) throw unknownEntry(id);
    const { state, resentAs, contractId, payment, batch, row } = entry;
    if (resentAs !== undefined) {
      throw new MirrorError('not-resendable', `Entry ${id} was sent again as ${resentAs}. See the state of that one.`);
    }
    if (state === 'rejected') {
      throw new MirrorError(
        'not-resendable',
        `An administrator rejected the payment of entry ${id}. Submit a corrected payment instead.`,
      );
    }
    // What a person said of the first request may be wrong: its key is safe in any case.
    const mayBeTaken =
      state === 'unknown' || state === 'sent' || (state === 'refused' && entry.resolvedAt !== undefined);
    if (mayBeTaken && this.#isSafe(entry)) {
      this.#settle(id, 'sending');
      // The first request may have taken effect, whatever happens to the next one.
      return await this.#send(hr, id, signal, state, () => this.#settle(id, state, entry));
    }
    if (state !== 'unknown' && state !== 'refused') {
      throw new MirrorError(
        'not-resendable',
        `Entry ${id} is ${state}. Only unknown and refused ones are sent again. If the service has lost it, record that first: resolve it as not-taken.`,
      );
    }
    if (state === 'unknown' && !mayPayTwice) {
      throw new MirrorError(
        'may-pay-twice',
        `The service may have accepted the payment of entry ${id} already. Ask the payroll administrator. To send it nevertheless, set mayPayTwice.`,
      );
    }
    const next = transaction(this.#database, () => {
      const resent = randomUUID();
      this.#setResentAs(id, resent);
      return this.#insert(contractId, payment, batch, row, resent);
    });
    return await this.#send(hr, next, signal, 'refused', () =>
      transaction(this.#database, () => {
        this.#delete(next);
        this.#setResentAs(id, null);
      }),
    );
  }

  resolve(id: string, outcome: 'taken' | 'not-taken', note: string): OutboxEntry {
    using _ = this.hold();
    const entry = this.entry(id);
    if (!entry) throw unknownEntry(id);
    const isLost = entry.state === 'approved' && outcome === 'not-taken';
    const isOpen = entry.state === 'unknown' || entry.state === 'sent' || isLost;
    if (!isOpen || entry.resentAs !== undefined) {
      throw new MirrorError(
        'not-resolvable',
        `Entry ${id} is ${entry.resentAs ? `sent again as ${entry.resentAs}` : entry.state}. Only unknown and sent ones are resolved, and approved ones as not-taken.`,
      );
    }
    transaction(this.#database, () => {
      this.#database
        .prepare('update entry set state = ?, resolved_at = ?, note = ?, decided_at = null where id = ?')
        .run(outcome === 'taken' ? 'sent' : 'refused', new Date().toISOString(), note, id);
      // If the service has the payment after all, its decision is read once more.
      if (isLost) this.#database.exec('update decisions set cursor = null');
    });
    return this.entry(id) as OutboxEntry;
  }

  mayPayTwice(entry: OutboxEntry): boolean {
    return (entry.state === 'unknown' || entry.state === 'sent') && !this.#isSafe(entry);
  }

  async reconcile(hr: HrClient, options: ReconcileOptions = {}): Promise<Reconciliation> {
    using _ = this.hold();
    return await reconcilePayments(this.#database, hr, options, (id) => this.entry(id));
  }

  *entries(query: OutboxQuery = {}): IterableIterator<OutboxEntry> {
    const { sql, values } = conditionsOf(query);
    const order = query.latestFirst ? 'desc' : 'asc';
    const statement = this.#database.prepare(`select * from entry where ${sql} order by number ${order}`);
    for (const row of statement.iterate(...values)) yield entryOf(row);
  }

  counts(query: OutboxQuery = {}): Readonly<Partial<Record<OutboxState, number>>> {
    const { sql, values } = conditionsOf(query);
    const rows = this.#database
      .prepare(`select state, count(*) as n from entry where resent_as is null and ${sql} group by state`)
      .all(...values);
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  }

  entry(id: string): OutboxEntry | undefined {
    const row = this.#database.prepare('select * from entry where id = ?').get(id);
    return row && entryOf(row);
  }

  hold(): Disposable {
    if (!this.#lock) this.#acquire();
    this.#holders++;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        if (--this.#holders === 0) this.#release();
      },
    };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#release();
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #acquire(): void {
    const lock = openLock(this.#file);
    try {
      lock.exec('begin exclusive');
      // The lock was free, so the programs that sent these have ended.
      this.#database.exec("update entry set state = 'unknown' where state = 'sending'");
    } catch (error) {
      lock.close();
      if (!isBusy(error)) throw error;
      throw new MirrorError(
        'outbox-busy',
        `${this.#file}: another program is sending payments from this outbox. Wait until it has ended.`,
      );
    }
    this.#lock = lock;
  }

  #release(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }

  /**
   * Sends an entry that is stored as `sending`, and stores what became of it.
   *
   * @param ifRejected - The state of the entry if this request has no effect.
   * @param undo - Restores the state before this request, if it was not sent.
   */
  async #send(
    hr: HrClient,
    id: string,
    signal: AbortSignal | undefined,
    ifRejected: 'refused' | 'unknown' | 'sent',
    undo: () => void,
  ): Promise<OutboxEntry> {
    const { contractId, payment } = this.entry(id) as OutboxEntry;
    try {
      await hr.payroll.submitVariablePayment(contractId, { ...payment, idempotencyKey: id }, { signal });
    } catch (error) {
      if (!isHrError(error)) {
        this.#settleSent(id, 'unknown');
        throw error;
      }
      if (error.outcome === 'not-sent' || (error.outcome === 'rejected' && error.code === 'rate-limited')) {
        undo();
        throw error;
      }
      const states = { accepted: 'sent', rejected: ifRejected, unknown: 'unknown' } as const;
      return this.#settleSent(id, states[error.outcome], error);
    }
    return this.#settleSent(id, 'sent');
  }

  /** Stores what became of a payment that was sent. If it cannot, the entry becomes `unknown` later. */
  #settleSent(id: string, state: OutboxState, error?: HrError): OutboxEntry {
    try {
      this.#settle(id, state, error);
      return this.entry(id) as OutboxEntry;
    } catch (cause) {
      throw new MirrorError(
        'cannot-store',
        `${this.#file}: the payment of entry ${id} was sent, but its state ${state} cannot be stored (${(cause as Error).message}). Free some disk space, and do not send it again.`,
      );
    }
  }

  /** Whether the service recognizes the key of an entry, and does not pay again. */
  #isSafe({ sentAt }: OutboxEntry): boolean {
    const age = Date.now() - Date.parse(sentAt);
    return this.#isKeyed && age >= 0 && age < SAFE_KEY_AGE_MS;
  }

  #rejectSubmitted(batch: string, row: number): void {
    const found = this.#database
      .prepare('select id, state from entry where batch = ? and row = ? and resent_as is null')
      .get(batch, row);
    if (!found) return;
    throw new MirrorError(
      'already-submitted',
      `Row ${row} of this batch was submitted as entry ${String(found['id'])}, which is ${String(found['state'])}.`,
    );
  }

  #insert(
    contractId: string,
    payment: OutboxPayment,
    batch: string | undefined,
    row: number | undefined,
    id: string = randomUUID(),
  ): string {
    const columns: Record<string, SQLInputValue> = {
      id,
      contract_id: contractId,
      billing_period: payment.billingPeriod,
      payment: JSON.stringify(payment),
      content: paymentContent(contractId, payment),
      state: 'sending',
      batch: batch ?? null,
      row: row ?? null,
      sent_at: new Date().toISOString(),
    };
    const names = Object.keys(columns);
    this.#database
      .prepare(`insert into entry (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`)
      .run(columns);
    return id;
  }

  #delete(id: string): void {
    this.#database.prepare('delete from entry where id = ?').run(id);
  }

  #setResentAs(id: string, resentAs: string | null): void {
    this.#database.prepare('update entry set resent_as = ? where id = ?').run(resentAs, id);
  }

  /** Stores the outcome of a request, unless the payment is decided meanwhile. */
  #settle(
    id: string,
    state: OutboxState,
    { code, requestId, message }: Partial<Pick<OutboxEntry, 'code' | 'requestId' | 'message'>> = {},
  ): void {
    this.#database
      .prepare('update entry set state = ?, code = ?, request_id = ?, message = ? where id = ? and decided_at is null')
      .run(state, code ?? null, requestId ?? null, message ?? null, id);
  }
}

/** SQL for the entries to which all conditions apply, without those that a caller adds while it reads, such as by `resend`. */
function conditionsOf({ state, batch, contractId, content, before }: OutboxQuery): { sql: string; values: string[] } {
  const conditions = Object.entries({
    'state = ?': state,
    'batch = ?': batch,
    'contract_id = ?': contractId,
    'content = ?': content,
    'number < (select number from entry where id = ?)': before,
  }).filter((condition): condition is [string, string] => condition[1] !== undefined);
  return {
    sql: ['number <= (select max(number) from entry)', ...conditions.map(([sql]) => sql)].join(' and '),
    values: conditions.map(([, value]) => value),
  };
}

function unknownEntry(id: string): MirrorError {
  return new MirrorError('unknown-entry', `The outbox has no entry ${id}. Check the id.`);
}

function entryOf(row: Record<string, SQLOutputValue>): OutboxEntry {
  const text = (column: string) => (row[column] as string | null) ?? undefined;
  return {
    id: row['id'] as string,
    contractId: row['contract_id'] as string,
    payment: JSON.parse(row['payment'] as string) as OutboxPayment,
    state: row['state'] as OutboxState,
    batch: text('batch'),
    row: (row['row'] as number | null) ?? undefined,
    sentAt: row['sent_at'] as string,
    code: text('code'),
    requestId: text('request_id'),
    message: text('message'),
    resentAs: text('resent_as'),
    decidedAt: text('decided_at'),
    reason: text('reason'),
    resolvedAt: text('resolved_at'),
    note: text('note'),
  };
}
