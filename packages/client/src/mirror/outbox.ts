import type { Body, Query } from '@hr/schemas/checks';
import type { BulkOptions } from '../bulk.ts';
import type { HrClient } from '../hr-client.ts';
import type { HrClientOptions } from '../hr-client-options.ts';
import type { HrErrorCode } from '../hr-error.ts';
import type { Reconciliation, ReconcileOptions } from './reconcile-payments.ts';
import { resolve } from 'node:path';
import { outboxKind } from './outbox-database.ts';
import { withStorageErrors } from './private-database.ts';
import { SqliteOutbox } from './sqlite-outbox.ts';

/**
 * What is known of a payment.
 *
 * - `sending`: the request has started and has not ended
 * - `sent`: the service accepted the payment, which waits for its approval
 * - `refused`: the service rejected the request, so it had no effect
 * - `unknown`: the service may have accepted the payment; the program may have ended before the response
 * - `approved`: an administrator approved the payment. Without `decidedAt`, the service lists as many equal approved
 *   payments as the outbox has `approved` ones, or more
 * - `rejected`: an administrator rejected the payment, for good
 */
export type OutboxState = 'sending' | 'sent' | 'refused' | 'unknown' | 'approved' | 'rejected';

/** A payment in the outbox. It has an idempotency key of its own. */
export type OutboxPayment = Query<'submitVariablePayment'> & Body<'submitVariablePayment'>;

/**
 * A submitted payment.
 *
 * @sealed
 */
export interface OutboxEntry {
  /** A UUID, which is also the idempotency key of its requests. */
  readonly id: string;
  readonly contractId: string;
  readonly payment: OutboxPayment;
  readonly state: OutboxState;
  readonly batch: string | undefined;
  readonly row: number | undefined;
  /** Start of the first request, an ISO 8601 instant. */
  readonly sentAt: string;
  /** Code of the error of the last request; undefined if there was none, or if the program ended before the response. */
  readonly code: HrErrorCode | undefined;
  /** The service's id of the request that failed. Send it to the operator. */
  readonly requestId: string | undefined;
  /** Message of the error of the last request. */
  readonly message: string | undefined;
  /** Id of the entry that `resend` made of this one. */
  readonly resentAs: string | undefined;
  /** When an administrator decided on the payment, as the service states it. */
  readonly decidedAt: string | undefined;
  /** What the administrator gave as the reason. */
  readonly reason: string | undefined;
  /** When a person said with `resolve` whether the service has the payment, an ISO 8601 instant. */
  readonly resolvedAt: string | undefined;
  /** How that person knows. */
  readonly note: string | undefined;
}

/** Options of `openOutbox`. */
export interface OutboxOptions {
  /** Path of the SQLite file. It is created with mode 0600. Beside it is a file with the suffix `.lock`. */
  readonly file: string;
  /** Where the payments go, such as client id and base URL. A file with another source is refused. */
  readonly source: string;
  /**
   * As the option of `createHrClient`: whether the service supports `Idempotency-Key`, so that sending a payment again
   * with its key is safe.
   *
   * @default 'unsupported'
   */
  readonly idempotency?: HrClientOptions['idempotency'] | undefined;
}

/** Options of `submit`. */
export interface SubmitOptions {
  /** Name of a group of payments, such as a file. */
  readonly batch?: string | undefined;
  /** Number of the payment in its batch. The outbox submits each row of a batch once. */
  readonly row?: number | undefined;
  /** Aborts the request. If it has started, the outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
}

/** A payment of a batch. */
export interface BatchPayment {
  /** Its number in the batch. */
  readonly row: number;
  readonly contractId: string;
  readonly payment: OutboxPayment;
}

/** Options of `submitBatch`. */
export interface SubmitBatchOptions extends Pick<BulkOptions, 'maxWait' | 'onProgress'> {
  /** Ends the batch: once it aborts, no further payment is sent, and those in flight are awaited. */
  readonly stop?: AbortSignal | undefined;
  /** Aborts the requests in flight, too, whose outcome is unknown then. It rejects with an `HrError` with `code: 'aborted'`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `resend`. */
export interface ResendOptions {
  /** Allows to send a payment that the service may have accepted already. */
  readonly mayPayTwice?: true | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which entries to return: those to which all given conditions apply. */
export interface OutboxQuery {
  readonly state?: OutboxState | undefined;
  readonly batch?: string | undefined;
  readonly contractId?: string | undefined;
  /** Content of a payment, as `paymentContent` returns it: only entries with an equal payment. */
  readonly content?: string | undefined;
  /** Id of an entry: only entries with an earlier first request. */
  readonly before?: string | undefined;
  /** Whether `entries` begins with the latest one. */
  readonly latestFirst?: true | undefined;
}

/**
 * The record of submitted payments. It stores a payment before it sends it, so that none is sent twice by itself, also
 * when the process is killed at any moment.
 *
 * @sealed
 */
export interface Outbox extends Disposable {
  /**
   * Submits a payment. It resolves with the entry, also if the service refuses the payment or the outcome is unknown: see
   * `state`. It rejects if nothing was sent, or if the service refuses it for the rate of requests (429); then it has no
   * entry.
   *
   * @throws {HrError} with the outcome `not-sent`, or `rate-limited`.
   * @throws {MirrorError} `outbox-busy`, or `already-submitted` for a row of a batch; `cannot-store` after it was sent.
   */
  submit(hr: HrClient, contractId: string, payment: OutboxPayment, options?: SubmitOptions): Promise<OutboxEntry>;
  /**
   * Submits the payments of a batch that are not submitted yet, four at the same time, and yields the entry of each. Call
   * it again with the same payments to go on: it sends `refused` ones again, and `unknown` ones whose key is safe.
   *
   * It waits as `bulk` does, such as for `Retry-After`. It ends after a payment whose outcome is `unknown`, because people
   * have to look into it, and after one that is refused as `unauthorized` or `forbidden`, because all others would be.
   * Leaving the loop sends no further payment and awaits those in flight.
   *
   * @param payments - Check them with `paymentIssues` first: an invalid one ends the batch.
   * @throws {HrError} of a payment that was not sent.
   * @throws {MirrorError} `outbox-busy`; `cannot-store` after a payment was sent.
   * @example
   * ```ts
   * const bonus = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 250 };
   * const payments = ['1000-20001', '2000-20002'].map((contractId, row) => ({ row, contractId, payment: bonus }));
   * for await (const { row, state } of outbox.submitBatch(hr, 'bonus-2026-12', payments)) console.log(row, state);
   * ```
   */
  submitBatch(
    hr: HrClient,
    batch: string,
    payments: Iterable<BatchPayment>,
    options?: SubmitBatchOptions,
  ): AsyncGenerator<OutboxEntry, void, undefined>;
  /**
   * Sends an `unknown` or `refused` payment again.
   *
   * An `unknown` one keeps its key and its entry if the service supports keys and the key is younger than 23 hours: it
   * pays once. So does a `sent` one, such as after the service was restored to the time before it, and one that was
   * resolved as `not-taken`. Otherwise an `unknown`
   * one needs `mayPayTwice`. Every other request has a new key and a new entry. A payment that an administrator rejected
   * is not sent again: submit a corrected one.
   *
   * @throws {HrError} with the outcome `not-sent`, or `rate-limited`. The entry is as before.
   * @throws {MirrorError} `unknown-entry`, `not-resendable`, `may-pay-twice`, `outbox-busy` or `cannot-store`.
   */
  resend(hr: HrClient, id: string, options?: ResendOptions): Promise<OutboxEntry>;
  /**
   * Records what a person found out about an `unknown` or `sent` payment. `taken`: the service has it, so it is `sent`.
   * `not-taken`: the service has no such payment, so it is `refused`, and can be sent again; that also holds for an
   * `approved` one that a restored service has lost. A later decision with its key replaces either.
   *
   * @param note - How the person knows, such as a name and a ticket.
   * @throws {MirrorError} `unknown-entry`, `not-resolvable` or `outbox-busy`.
   */
  resolve(id: string, outcome: 'taken' | 'not-taken', note: string): OutboxEntry;
  /** Whether sending an entry again may pay twice: it is `unknown` or `sent`, and its key is not safe. */
  mayPayTwice(entry: OutboxEntry): boolean;
  /**
   * Reads the decisions since the last call, and marks entries as `approved` or `rejected` by their keys. An `unknown`
   * entry that is decided was accepted; one whose payment never arrived stays `unknown`.
   *
   * Where the service lists no decisions, or decisions without keys, it reads the approved payments of the contracts of
   * `sent` and `unknown` entries, compares contract, billing period and content, counts, and marks entries as `approved`.
   *
   * @throws {HrError} if a request fails for another reason than those that {@link Reconciliation} reports.
   * @throws {MirrorError} `outbox-busy`.
   */
  reconcile(hr: HrClient, options?: ReconcileOptions): Promise<Reconciliation>;
  /** Returns the entries that there are now, in the order of their first request. It reads them one by one. */
  entries(query?: OutboxQuery): IterableIterator<OutboxEntry>;
  /** Counts entries by their state, without those that were sent again as another entry. */
  counts(query?: OutboxQuery): Readonly<Partial<Record<OutboxState, number>>>;
  entry(id: string): OutboxEntry | undefined;
  /**
   * Keeps other processes from sending until it is disposed of. `submit`, `resend` and `reconcile` do so by themselves;
   * this covers the time between several of them.
   *
   * @throws {MirrorError} `outbox-busy`.
   */
  hold(): Disposable;
  /** Closes the file. Await running requests first. */
  close(): void;
}

/**
 * Opens an outbox, and creates its file if there is none. Entries of a program that ended while it sent become
 * `unknown`.
 *
 * @throws {MirrorError} If the file cannot be used.
 * @example
 * ```ts
 * using outbox = openOutbox({ file: 'payments.db', source: 'payroll-batch at https://hr.example.com' });
 * const bonus = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 250 };
 * const { state } = await outbox.submit(hr, '1000-20001', bonus);
 * ```
 */
export function openOutbox(options: OutboxOptions): Outbox {
  const outbox: Outbox = new SqliteOutbox(options);
  return withStorageErrors(outbox, outboxKind, resolve(options.file));
}
