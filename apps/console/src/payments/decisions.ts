import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { Locks } from '../backend/locks.ts';
import { Problem, problemOf, type ProblemBody } from '../backend/problem.ts';
import type { User } from '../backend/records.ts';
import { contractPersons, type ContractPerson } from './contract-persons.ts';
import { endSoon, inParallel } from './in-parallel.ts';
import { decisionOf, type Decision } from './payment-inbox.ts';
import { isOwnPayment, paymentOwners } from './payment-owners.ts';

const MAX_DECISIONS = 5000;
/** As the service has it. */
const MAX_REASON_LENGTH = 1000;
/** Results of so many runs are kept. */
const MAX_RUNS = 50;

const run = z.uuid();
const ids = z.array(Identifier).min(1).max(MAX_DECISIONS);
const reason = z.string().trim().min(1).max(MAX_REASON_LENGTH);

/** Which payments to approve, or to reject for a reason. The browser makes the id, so that a repeated request decides once. */
export const DecisionInput = z.discriminatedUnion('decision', [
  z.strictObject({ run, decision: z.literal('approve'), ids, reason: reason.optional() }),
  z.strictObject({ run, decision: z.literal('reject'), ids, reason }),
]);
type DecisionInput = z.infer<typeof DecisionInput>;

/** Decisions on payments that a person made together. */
export interface DecisionRun {
  readonly run: string;
  readonly decision: 'approve' | 'reject';
  readonly isRunning: boolean;
  readonly results: readonly DecisionResult[];
}

/** What became of a decision on a payment. */
export interface DecisionResult {
  readonly id: string;
  /** Undefined if there is no such payment. */
  readonly contractId: string | undefined;
  readonly person: ContractPerson | undefined;
  /** `not-sent`: somebody stopped it before, or the console ended. */
  readonly state: 'waiting' | 'done' | 'failed' | 'not-sent';
  /** Of a failed one. */
  readonly problem: ProblemBody | undefined;
  /** The state of the payment, and who decided, if somebody decided before. */
  readonly before: (Decision & { readonly state: 'approved' | 'rejected' }) | undefined;
}

interface Run {
  readonly user: string;
  readonly decision: DecisionInput['decision'];
  readonly results: Map<string, DecisionResult>;
  isStopped: boolean;
  isRunning: boolean;
  end: Promise<void>;
}

/** Decides on payments by one request each, while people watch and can stop it. */
export class Decisions {
  readonly #console: Console;
  readonly #runs = new Map<string, Run>();
  readonly #locks = new Locks();
  readonly #abort = new AbortController();

  constructor(context: Console) {
    this.#console = context;
  }

  /** @throws {Problem} `not-found` if a person did not start it, or the console was started again. */
  get(user: User, id: string): DecisionRun {
    const found = this.#runs.get(id);
    if (found?.user !== user.name)
      throw new Problem('not-found', 'The console does not have these decisions any more.');
    const { decision, isRunning, results } = found;
    return { run: id, decision, isRunning, results: [...results.values()] };
  }

  /**
   * Starts to decide, unless it did before.
   *
   * @throws {Problem} `forbidden` if one of them is, or may be, a payment of the person; then it decides on none.
   */
  async start(user: User, input: DecisionInput): Promise<DecisionRun> {
    await this.#locks.hold(input.run, async () => {
      if (!this.#runs.has(input.run)) await this.#start(user, input);
    });
    return this.get(user, input.run);
  }

  async #start(user: User, { run: id, decision, ids: chosen, reason: why }: DecisionInput): Promise<void> {
    const { cloud, records } = this.#console;
    const payments = new Map((await cloud.operator.payments()).map((payment) => [payment.id, payment]));
    const ownersOf = paymentOwners(records);
    const errors = chosen.flatMap((one, index) => {
      const payment = payments.get(one);
      return payment && isOwnPayment(cloud, ownersOf, payment, user)
        ? [{ pointer: `/ids/${index}`, code: 'own', detail: 'may be a payment that you submitted' }]
        : [];
    });
    if (errors.length > 0) {
      throw new Problem('forbidden', 'Nobody decides on their own payments. Another person must decide.', { errors });
    }
    const { persons } = contractPersons(cloud.mirror);
    const results = chosen.map((one): [string, DecisionResult] => {
      const contractId = payments.get(one)?.payrollContractId;
      const person = persons.get(contractId ?? '');
      return [one, { id: one, contractId, person, state: 'waiting', problem: undefined, before: undefined }];
    });
    const started: Run = {
      user: user.name,
      decision,
      results: new Map(results),
      isStopped: false,
      isRunning: true,
      end: Promise.resolve(),
    };
    this.#runs.set(id, started);
    started.end = this.#decide(user, started, why);
    for (const [old, { isRunning }] of this.#runs) {
      if (this.#runs.size > MAX_RUNS && !isRunning) this.#runs.delete(old);
    }
  }

  /** Sends no further decision, and waits for those that are sent already. */
  async stop(user: User, id: string): Promise<DecisionRun> {
    this.get(user, id);
    const stopped = this.#runs.get(id) as Run;
    stopped.isStopped = true;
    await stopped.end;
    return this.get(user, id);
  }

  /** Sends no further decisions, and waits a while for those in flight. The outcome of the others is unknown. */
  async close(): Promise<void> {
    for (const each of this.#runs.values()) each.isStopped = true;
    await endSoon(
      [...this.#runs.values()].map(({ end }) => end),
      this.#abort,
    );
  }

  async #decide(user: User, current: Run, why: string | undefined): Promise<void> {
    const { cloud, records, live } = this.#console;
    const { decision, results } = current;
    const action = decision === 'approve' ? 'approve-payment' : 'reject-payment';
    const decide = async ({ id, contractId }: DecisionResult): Promise<Partial<DecisionResult>> => {
      try {
        // It may be one that the person submits right now: ids follow one another, so they can be guessed.
        if (contractId === undefined) throw new Problem('not-found', 'There is no payment with this id.');
        await cloud.operator.decide(id, decision, why, this.#abort.signal);
        records.record(user, action, id);
        return { state: 'done' };
      } catch (error) {
        const { body } = problemOf(error);
        // It may have taken effect, so it must not be missing in the record.
        if (body.code === 'outcome-unknown') records.record(user, action, id);
        return { state: 'failed', problem: body };
      }
    };
    await inParallel([...results.values()].values(), async (one) => {
      results.set(one.id, { ...one, ...(current.isStopped ? { state: 'not-sent' } : await decide(one)) });
    });
    await this.#explain(results).catch(() => undefined);
    current.isRunning = false;
    live.announce('payments');
  }

  /** Finds out who decided before on payments that were decided already. */
  async #explain(results: Map<string, DecisionResult>): Promise<void> {
    const decided = [...results.values()].filter(({ problem }) => problem?.code === 'conflict');
    if (decided.length === 0) return;
    const { cloud, records } = this.#console;
    const payments = new Map((await cloud.operator.payments()).map((payment) => [payment.id, payment]));
    const deciders = records.actors('approve-payment', 'reject-payment');
    for (const result of decided) {
      const payment = payments.get(result.id);
      if (payment === undefined || payment.state === 'submitted') continue;
      const before = { ...decisionOf(payment, deciders.get(result.id)?.at(-1)), state: payment.state };
      results.set(result.id, { ...result, before });
    }
  }
}
