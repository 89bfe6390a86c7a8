import { bulk } from '@hr/client';
import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import type { OperatorPayment } from '../backend/operator-client.ts';
import { Problem, problemOf, type ProblemBody } from '../backend/problem.ts';
import type { Run, RunDecision, User } from '../backend/records.ts';
import { MAX_ROWS } from './check-payments.ts';
import { contractPersons, type ContractPerson } from './contract-persons.ts';
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
  get(user: User, id: string) {
    const { records, cloud } = this.console;
    const found = records.run(id);
    if (found?.user !== user.id) {
      throw new Problem('not-found', 'The console does not have these decisions any more.');
    }
    const counts = records.decisionCounts(id);
    const persons = contractPersons(cloud.mirror);
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
      results: results.map(({ payment, contract, state, result }): DecisionResult => ({
        id: payment,
        contractId: contract ?? undefined,
        person: persons.get(contract ?? ''),
        state: state as DecisionResult['state'],
        ...(JSON.parse(result ?? '{}') as Pick<DecisionResult, 'problem' | 'before'>),
      })),
    };
  }

  /**
   * Starts to decide, unless it did before.
   *
   * @throws {Problem} `forbidden` if the person may have submitted one of them, and `conflict` if other payments of the batch
   *   wait than the person has seen; then it decides on none.
   */
  async start(user: User, input: DecisionInput): Promise<DecisionRun> {
    await this.locks.hold(input.run, async () => {
      if (this.console.records.run(input.run) === undefined) await this.#start(user, input);
    });
    return this.get(user, input.run);
  }

  async #start(user: User, { run: id, decision, chosen: wanted, reason: why }: DecisionInput): Promise<void> {
    const { records } = this.console;
    const { ofService } = inboxView(this.console, user);
    const payments = 'batch' in wanted ? await this.#waitingOf(wanted) : await this.#withIds(wanted.ids);
    const errors = [...payments.values()].flatMap((payment) => {
      const bar = payment && ofService(payment).bar;
      return bar ? [{ pointer: '/chosen', code: bar, detail: 'may be a payment that you submitted' }] : [];
    });
    if (errors.length > 0) {
      const detail = 'Nobody decides on their own payments. Another person must decide.';
      throw new Problem('forbidden', detail, { errors: errors.slice(0, MAX_RESULTS) });
    }
    const started: Run = { id, user: user.id, decision };
    const decided = [...payments].map(([payment, found]) => ({ payment, contract: found?.payrollContractId ?? null }));
    records.recordRun(started, decided);
    this.begin(id, (signals) => this.#decide(user, started, why, signals));
  }

  async #withIds(ids: readonly string[]): Promise<Map<string, OperatorPayment | undefined>> {
    const found = await this.console.cloud.operator.paymentsWith('id', ids);
    const payments = new Map(found.map((payment) => [payment.id, payment]));
    return new Map(ids.map((id) => [id, payments.get(id)]));
  }

  /** Returns the payments of a batch that wait for a decision, as the service has them. */
  async #waitingOf(given: { readonly batch: string; readonly count: number }): Promise<Map<string, OperatorPayment>> {
    const { operator, outbox, clientId } = this.console.cloud;
    const keys = [...outbox.entries({ batch: given.batch, state: 'sent' })].map(({ id }) => id);
    const waiting = await operator.paymentsWith('idempotencyKey', keys, { state: 'submitted', submittedBy: clientId });
    if (waiting.length !== given.count) {
      throw new Problem('conflict', `The batch has changed: ${waiting.length} of its payments wait for a decision.`);
    }
    return new Map(waiting.map((payment) => [payment.id, payment]));
  }

  /** Sends no further decision, and waits for those that are sent already. */
  async stop(user: User, id: string): Promise<DecisionRun> {
    this.get(user, id);
    await this.end(id);
    return this.get(user, id);
  }

  async #decide(user: User, { id, decision }: Run, why: string | undefined, signals: RunSignals): Promise<void> {
    const { stop, signal } = signals;
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
        const before = problem.code === 'conflict' ? await this.#decisionOn(user, payment) : undefined;
        records.settleDecision(id, payment, 'failed', { problem, before });
        return;
      }
      records.transaction(() => {
        records.record(user, action, payment);
        records.settleDecision(id, payment, 'done');
      });
    };
    const work = async (one: RunDecision): Promise<void> => {
      if (!stop.aborted) await decide(one);
    };
    try {
      for await (const _ of bulk(records.decisions(id, ['waiting'], MAX_ROWS), work, { concurrency: CONCURRENCY }));
      records.endDecisions('not-sent', id);
    } catch {
      // What cannot be recorded, such as on a full disk, still waits in the record.
    }
  }

  /** Finds out who decided before. */
  async #decisionOn(user: User, id: string): Promise<DecisionResult['before']> {
    const [payment] = await this.console.cloud.operator.paymentsWith('id', [id]).catch(() => []);
    const { decision } = payment ? inboxView(this.console, user).ofService(payment) : {};
    return payment && decision && { ...decision, state: payment.state };
  }
}
