import { isHrError, type HrClient } from '@hr/client';
import type { OutboxEntry } from '@hr/client/mirror';
import type { DecimalSign } from '@hr/text/decimal';
import { paymentFields, type GivenPayment, type PaymentCells } from '@hr/text/read-payment';
import { z } from 'zod';
import { announceDrafts, deleteSent, SentDraft } from '../backend/draft-routes.ts';
import { Problem, problemOf, type ProblemBody } from '../backend/problem.ts';
import type { User } from '../backend/records.ts';
import { totalsOf } from '../model/totals.ts';
import { contractRights } from '../backend/contract-persons.ts';
import { seesBatch } from '../backend/seen-payments.ts';
import type { Asker } from '../backend/sessions.ts';
import { equalPayments, MAX_ROWS, noRight, SubmissionRow } from './check-payments.ts';
import { Runs, type RunSignals } from './runs.ts';

const MAX_NAME_LENGTH = 100;

/** Why rows were not sent: an outcome is unknown, every other row would be refused too, or nothing can be sent. */
export type Stop = 'outcome-unknown' | 'all-rejected' | ProblemBody['code'];

/** A payment with its number in its batch. */
export type NumberedRow = SubmissionRow & { readonly row: number };

/** A table of payments that is not sent yet. */
export interface TableDraft {
  /** As it was pasted. */
  readonly text?: string | undefined;
  /** By a number that stays with a row. */
  readonly rows?: Readonly<Record<string, PaymentCells>> | undefined;
  /** The answer to the question about numbers such as `1.234`. */
  readonly decimalSign?: DecimalSign | undefined;
  /** Names of pasted columns that no payment has. */
  readonly unread?: readonly string[] | undefined;
  /** Why the service refused rows that are not corrected yet. */
  readonly refused?: Readonly<Record<string, Pick<OutboxEntry, 'code' | 'message'>>> | undefined;
  /** The batch whose payments that were not sent are in this table. */
  readonly replaces?: string | undefined;
}

/** Payments that a person wants to submit. */
export const SubmissionInput = z.strictObject({
  batch: z.uuid(),
  name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
  rows: z.array(SubmissionRow).min(1).max(MAX_ROWS),
  /** The batch whose payments that were not sent are in this one. */
  replaces: z.uuid().optional(),
  /** Whether the person wants to submit payments that equal others. */
  allowEqual: z.boolean().default(false),
  draft: SentDraft,
});

/**
 * Submits batches of payments. A batch starts once, whatever a browser repeats: before its first payment is sent, the
 * records have whose batch it is, and a batch that they have never starts again.
 */
export class Submissions extends Runs {
  readonly #stops = new Map<string, Stop>();

  /** Why a batch ended before its last row. */
  stopOf(batch: string): Stop | undefined {
    return this.#stops.get(batch);
  }

  /** Returns the payments of a batch that were not sent, or not yet, with their numbers. */
  unsentRows(
    batch: string,
    entries: Iterable<OutboxEntry> = this.console.cloud.outbox.entries({ batch }),
  ): NumberedRow[] {
    const rows = this.console.records.batchRows(batch) as SubmissionRow[];
    if (rows.length === 0) return [];
    const sent = new Set(Array.from(entries, ({ row }) => row));
    return rows.map((row, index) => ({ ...row, row: index + 1 })).filter(({ row }) => !sent.has(row));
  }

  /** Returns the batches of a person with payments that were not sent, and their numbers. */
  unsent(user: User) {
    const ended = this.console.records.keptBatches(user).filter(({ id }) => !this.isRunning(id));
    const unsent = ended.map(({ id }) => ({ batch: id, count: this.unsentRows(id).length }));
    return unsent.filter(({ count }) => count > 0);
  }

  /** Forgets the payments of a batch that were not sent. */
  discard(user: User, batch: string): void {
    if (!this.#isKnown(user, batch) || this.isRunning(batch)) {
      throw new Problem('not-found', 'No payments of this batch wait for a decision.');
    }
    this.console.records.clearBatch(batch);
  }

  /** Makes a draft of the payments of a batch that were refused or not sent, unless there is one. */
  correct(asker: Asker, batch: string): void {
    const isThere = this.console.records.batch(batch) !== undefined;
    if (!isThere || !seesBatch(this.console, asker, batch)) throw new Problem('not-found', 'There is no such batch.');
    const { user, view } = asker;
    const may = contractRights(view);
    const entries = [...this.console.cloud.outbox.entries({ batch, state: 'refused' })];
    const refused = entries.filter(
      ({ resentAs, contractId }) => resentAs === undefined && may(contractId, 'editor', 'pay'),
    );
    const unsent = this.unsentRows(batch).filter(({ contractId }) => may(contractId, 'editor', 'pay'));
    const draft: TableDraft = {
      // In the order of their numbers.
      rows: Object.fromEntries([...refused, ...unsent].map((row) => [row.row, cellsOf(row)])),
      refused: Object.fromEntries(refused.map(({ row, code, message }) => [row, { code, message }])),
      ...(unsent.length > 0 && { replaces: batch }),
    };
    this.console.records.drafts.save(user.id, `table/${batch}`, undefined, draft);
    announceDrafts(this.console, user);
  }

  /** The payments of running batches that the outbox does not have yet. */
  get waiting(): SubmissionRow[] {
    return this.running.flatMap((batch) => this.unsentRows(batch));
  }

  /**
   * Starts a batch, unless it was started before, and deletes its draft. One check and start follows the other, so that two
   * people cannot both pass the check with the same payment.
   *
   * @throws {Problem} `forbidden` if the person may not submit one of the payments, and `conflict` if one equals another.
   */
  async start({ user, view, viewNow }: Asker, input: z.infer<typeof SubmissionInput>): Promise<void> {
    const { records, cloud } = this.console;
    const { batch, name, replaces, allowEqual, draft } = input;
    const rows = input.rows as readonly SubmissionRow[];
    const may = contractRights(view);
    await this.locks.hold('start', async () => {
      if (!this.#isKnown(user, batch)) {
        const forbidden = [...rows.entries()].flatMap(([index, { contractId }]) =>
          may(contractId, 'editor', 'pay') ? [] : [{ pointer: `/rows/${index}/contractId`, ...noRight }],
        );
        if (forbidden.length > 0) {
          throw new Problem('forbidden', 'You may not submit some of the payments.', { errors: forbidden });
        }
        if (replaces !== undefined && !this.unsent(user).some((one) => one.batch === replaces)) {
          throw new Problem('not-found', 'The payments of the other batch were submitted or discarded meanwhile.');
        }
        const equal = allowEqual ? [] : await equalPayments(cloud, rows, this.waiting);
        const errors = [...equal.entries()].flatMap(([index, count]) =>
          count > 0 ? [{ pointer: `/rows/${index}`, code: 'equal' }] : [],
        );
        if (errors.length > 0) throw new Problem('conflict', 'Equal payments were submitted already.', { errors });
        records.recordBatch({ id: batch, name, totals: totalsOf(rows.map(({ payment }) => payment)) }, user, rows);
        if (replaces !== undefined) records.clearBatch(replaces);
        this.begin(batch, (signals) => this.#send(batch, viewNow, signals));
      }
    });
    deleteSent(this.console, user, draft);
  }

  /** Whether a batch was started. It rejects those of other people. */
  #isKnown({ id }: User, batch: string): boolean {
    const [owner] = this.console.records.submitters(batch);
    if (owner !== undefined && owner !== id) throw new Problem('forbidden', 'This batch is of another person.');
    return owner !== undefined;
  }

  /** Sends a batch. It ends after an unknown outcome, because a person has to look into it. */
  async #send(batch: string, viewNow: Asker['viewNow'], signals: RunSignals): Promise<void> {
    const { cloud, records } = this.console;
    const { payroll } = cloud.hr;
    const submit: typeof payroll.submitVariablePayment = (contractId, payment, options) => {
      const view = viewNow();
      const may = view !== undefined && contractRights(view)(contractId, 'editor', 'pay');
      if (!may) this.#stops.set(batch, 'forbidden');
      // An aborted request is not sent.
      return payroll.submitVariablePayment(contractId, payment, may ? options : { signal: AbortSignal.abort() });
    };
    const hr: HrClient = { ...cloud.hr, payroll: { ...payroll, submitVariablePayment: submit } };
    try {
      for await (const { state } of cloud.outbox.submitBatch(hr, batch, this.unsentRows(batch), signals)) {
        if (state === 'unknown') this.#stops.set(batch, 'outcome-unknown');
      }
      if (this.unsentRows(batch).length === 0) records.clearBatch(batch);
      else if (!this.#stops.has(batch)) this.#stops.set(batch, 'all-rejected');
    } catch (error) {
      // Nothing was sent, or its state cannot be stored: then it becomes unknown.
      const stop = isHrError(error) ? 'service-unavailable' : problemOf(error).body.code;
      if (!this.#stops.has(batch)) this.#stops.set(batch, stop);
    }
  }
}

function cellsOf({ contractId, payment }: GivenPayment): PaymentCells {
  const values = { ...payment, contractId };
  return Object.fromEntries(
    paymentFields.flatMap((name) => (values[name] === undefined ? [] : [[name, textOf(values[name])]])),
  );
}

/** One more decimal keeps `1.234` from being read as 1,234. */
function textOf(value: string | number): string {
  return typeof value === 'number' && /^-?\d{1,3}\.\d{3}$/.test(String(value)) ? `${value}0` : String(value);
}
