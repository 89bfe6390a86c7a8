import { bulk } from '@hr/client';
import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import type { OperatorPayment } from '../backend/operator-client.ts';
import { Problem, problemOf, type ProblemBody } from '../backend/problem.ts';
import type { Run, RunDecision } from '../backend/records.ts';
import { seesBatch } from '../backend/seen-payments.ts';
import type { Asker } from '../backend/sessions.ts';
import { MAX_ROWS } from './check-payments.ts';
import { contractPersons, contractRights, type ContractPerson } from '../backend/contract-persons.ts';
import { inboxView, type Decision } from './payment-inbox.ts';
import { Runs, type RunSignals } from './runs.ts';

const CONCURRENCY = 4;
/** As the service has it. */
const MAX_REASON_LENGTH = 1000;
/** More results, or reasons why a person cannot decide, are of no use. */
const MAX_RESULTS = 100;

const run = z.uuid();
const reason = z.string().trim().min(1).max(MAX_REASON_LENGTH);
const chosen = z.union([
  z.strictObject({ ids: z.array(Identifier).min(1).max(MAX_ROWS) }),
  /** All payments of a batch that wait, and how many the person has seen. */
  z.strictObject({ batch: z.uuid(), count: z.int().min(1) }),
]);

/** Which payments to approve, or to reject for a reason. The browser makes the id, so that a repeated request decides once. */
export const DecisionInput = z.discriminatedUnion('decision', [
  z.strictObject({ run, decision: z.literal('approve'), chosen, reason: reason.optional() }),
  z.strictObject({ run, decision: z.literal('reject'), chosen, reason }),
]);
type DecisionInput = z.infer<typeof DecisionInput>;

/** Why a person cannot decide on a payment. */
const details = {
  own: 'may be a payment that you submitted',
  'unknown-submitter': 'may be a payment that you submitted',
  'no-right': 'needs a grant with approver, pay for its person',
};

/** Decisions on payments that a person made together. */
export type DecisionRun = ReturnType<Decisions['get']>;

/** What became of a decision that did not take effect. */
export interface DecisionResult {
  readonly id: string;
  /** Undefined if there is no such payment. */
  readonly contractId: string | undefined;
  readonly person: ContractPerson | undefined;
  /** `not-sent`: somebody stopped it before. `interrupted`: the console ended before the response. */
  readonly state: 'failed' | 'not-sent' | 'interrupted';
  /** Of a failed one. */
  readonly problem?: ProblemBody;
  /** The state of the payment, and who decided, if somebody decided before. */
  readonly before?: Decision & { readonly state: OperatorPayment['state'] };
}

/** Decides on payments by one request each, while people watch and can stop it. The records keep what became of each. */
export class Decisions extends Runs {
  constructor(context: Console) {
    super(context);
    context.records.endDecisions('interrupted');
  }

  /** @throws {Problem} `not-found` if a person did not start it, or many others followed. */
  get({ user, view }: Asker, id: string) {
    const { records } = this.console;
    const found = records.run(id);
    if (found?.user !== user.id) {
      throw new Problem('not-found', 'The console does not have these decisions any more.');
    }
    const counts = records.decisionCounts(id);
    const persons = contractPersons(view);
    const may = contractRights(view);
    const results = records.decisions(id, ['failed', 'not-sent', 'interrupted'], MAX_RESULTS);
    return {
      run: id,
      decision: found.decision,
      isRunning: this.isRunning(id),
      total: [...counts.values()].reduce((sum, count) => sum + count, 0),
      /** Number of those that took effect. */
      done: counts.get('done') ?? 0,
      waiting: counts.get('waiting') ?? 0,
      /** The first ones that did not take effect. */
      results: results.map(({ payment, contract, state, result }): DecisionResult => {
        const { problem, before } = JSON.parse(result ?? '{}') as Pick<DecisionResult, 'problem' | 'before'>;
        const isSeen = contract !== null && may(contract, 'pay');
        return {
          id: payment,
          contractId: isSeen ? contract : undefined,
          person: isSeen ? persons.get(contract) : undefined,
          state: state as DecisionResult['state'],
          ...(problem && { problem }),
          ...(isSeen && before && { before }),
        };
      }),
    };
  }

  /**
   * Starts to decide, unless it did before.
   *
   * @throws {Problem} `forbidden` if the person may have submitted one of them, and `conflict` if other payments of the batch
   *   wait than the person has seen; then it decides on none.
   */
  async start(asker: Asker, input: DecisionInput): Promise<DecisionRun> {
    await this.locks.hold(input.run, async () => {
      if (this.console.records.run(input.run) === undefined) await this.#start(asker, input);
    });
    return this.get(asker, input.run);
  }

  async #start(asker: Asker, { run: id, decision, chosen: wanted, reason: why }: DecisionInput): Promise<void> {
    const { records } = this.console;
    const { ofService } = inboxView(this.console, asker);
    const payments = 'batch' in wanted ? await this.#waitingOf(asker, wanted) : await this.#withIds(asker, wanted.ids);
    const errors = [...payments.values()].flatMap((payment) => {
      const bar = payment && ofService(payment).bar;
      return bar ? [{ pointer: '/chosen', code: bar, detail: details[bar] }] : [];
    });
    if (errors.length > 0) {
      const detail =
        'Nobody decides on their own payments, and on those of persons without a grant with approver, pay.';
      throw new Problem('forbidden', detail, { errors: errors.slice(0, MAX_RESULTS) });
    }
    const started: Run = { id, user: asker.user.id, decision };
    const decided = [...payments].map(([payment, found]) => ({ payment, contract: found?.payrollContractId ?? null }));
    records.recordRun(started, decided);
    this.begin(id, (signals) => this.#decide(asker, started, why, signals));
  }

  /** Those that the person does not see are none. */
  async #withIds({ view }: Asker, ids: readonly string[]): Promise<Map<string, OperatorPayment | undefined>> {
    const may = contractRights(view);
    const listed = await this.console.cloud.operator.paymentsWith('id', ids);
    const found = listed.filter(({ payrollContractId }) => may(payrollContractId, 'pay'));
    const payments = new Map(found.map((payment) => [payment.id, payment]));
    return new Map(ids.map((id) => [id, payments.get(id)]));
  }

  /** Returns the payments of a batch that wait for a decision, as the service has them. */
  async #waitingOf(
    asker: Asker,
    given: { readonly batch: string; readonly count: number },
  ): Promise<Map<string, OperatorPayment>> {
    const { operator, outbox, clientId } = this.console.cloud;
    const isSeen = seesBatch(this.console, asker, given.batch);
    const entries = isSeen ? [...outbox.entries({ batch: given.batch, state: 'sent' })] : [];
    const keys = entries.map(({ id }) => id);
    const waiting = await operator.paymentsWith('idempotencyKey', keys, { state: 'submitted', submittedBy: clientId });
    if (waiting.length !== given.count) {
      throw new Problem('conflict', `The batch has changed: ${waiting.length} of its payments wait for a decision.`);
    }
    return new Map(waiting.map((payment) => [payment.id, payment]));
  }

  /** Sends no further decision, and waits for those that are sent already. */
  async stop(asker: Asker, id: string): Promise<DecisionRun> {
    this.get(asker, id);
    await this.end(id);
    return this.get(asker, id);
  }

  async #decide(asker: Asker, { id, decision }: Run, why: string | undefined, signals: RunSignals): Promise<void> {
    const { stop, signal } = signals;
    const { user, viewNow } = asker;
    const { cloud, records } = this.console;
    const action = decision === 'approve' ? 'approve-payment' : 'reject-payment';
    const decide = async ({ payment, contract }: RunDecision): Promise<void> => {
      try {
        // It may be one that the person submits right now: ids follow one another, so they can be guessed.
        if (contract === null) throw new Problem('not-found', 'There is no payment with this id.');
        await cloud.operator.decide(payment, decision, why, signal);
      } catch (error) {
        const { body: problem } = problemOf(error);
        // It may have taken effect, so it must not be missing in the record.
        if (problem.code === 'outcome-unknown') records.record(user, action, payment);
        const before = problem.code === 'conflict' ? await this.#decisionOn(asker, payment) : undefined;
        records.settleDecision(id, payment, 'failed', { problem, before });
        return;
      }
      records.transaction(() => {
        records.record(user, action, payment);
        records.settleDecision(id, payment, 'done');
      });
    };
    const work = async (one: RunDecision): Promise<void> => {
      const view = viewNow();
      const may = view && (one.contract === null || contractRights(view)(one.contract, 'approver', 'pay'));
      if (may && !stop.aborted) await decide(one);
    };
    try {
      for await (const _ of bulk(records.decisions(id, ['waiting'], MAX_ROWS), work, { concurrency: CONCURRENCY }));
      records.endDecisions('not-sent', id);
    } catch {
      // What cannot be recorded, such as on a full disk, still waits in the record.
    }
  }

  /** Finds out who decided before. */
  async #decisionOn(asker: Asker, id: string): Promise<DecisionResult['before']> {
    const [payment] = await this.console.cloud.operator.paymentsWith('id', [id]).catch(() => []);
    const { decision } = payment ? inboxView(this.console, asker).ofService(payment) : {};
    return payment && decision && { ...decision, state: payment.state };
  }
}
