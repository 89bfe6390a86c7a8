import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import type { Console } from '../server/console-server.ts';
import { Problem, problemOf, type ProblemBody } from '../server/problem.ts';
import type { User } from '../server/records.ts';
import { decisionOf, type Decision } from './payment-inbox.ts';
import { isOwnPayment, paymentOwners } from './payment-owners.ts';

const MAX_DECISIONS = 500;
/** As the service has it. */
const MAX_REASON_LENGTH = 1000;
const CONCURRENCY = 4;

const ids = z.array(Identifier).min(1).max(MAX_DECISIONS);
const reason = z.string().trim().min(1).max(MAX_REASON_LENGTH);

/** Which payments to approve, or to reject for a reason. */
export const DecisionInput = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('approve'), ids, reason: reason.optional() }),
  z.strictObject({ decision: z.literal('reject'), ids, reason }),
]);
type DecisionInput = z.infer<typeof DecisionInput>;

/** What became of a decision on a payment. */
export interface DecisionResult {
  readonly id: string;
  /** Undefined if the decision took effect. */
  readonly problem: ProblemBody | undefined;
  /** The state of the payment, and who decided, if somebody decided before. */
  readonly before: (Decision & { readonly state: 'approved' | 'rejected' }) | undefined;
}

/**
 * Decides on payments by one request each, and reports what became of each.
 *
 * @throws {Problem} `forbidden` if one of them is, or may be, a payment of the person; then it decides on none.
 */
export async function decidePayments(
  { cloud, records }: Console,
  user: User,
  input: DecisionInput,
): Promise<DecisionResult[]> {
  const { operator } = cloud;
  const payments = new Map((await operator.payments()).map((payment) => [payment.id, payment]));
  const ownersOf = paymentOwners(records);
  const own = input.ids.flatMap((id, index) => {
    const payment = payments.get(id);
    return payment && isOwnPayment(cloud, ownersOf, payment, user)
      ? [{ pointer: `/ids/${index}`, code: 'own', detail: 'may be a payment that you submitted' }]
      : [];
  });
  if (own.length > 0) {
    throw new Problem('forbidden', 'Nobody decides on their own payments. Another person must decide.', {
      errors: own,
    });
  }

  const problems = new Map<string, ProblemBody>();
  const action = input.decision === 'approve' ? 'approve-payment' : 'reject-payment';
  const waiting = new Set(input.ids).values();
  async function work(): Promise<void> {
    for (const id of waiting) {
      try {
        // It may be one that the person submits right now: ids follow one another, so they can be guessed.
        if (!payments.has(id)) throw new Problem('not-found', 'There is no payment with this id.');
        // oxlint-disable-next-line no-await-in-loop -- each worker decides on one at a time
        await operator.decide(id, input.decision, input.reason);
        records.record(user, action, id);
      } catch (error) {
        const { body } = problemOf(error);
        // It may have taken effect, so it must not be missing in the record.
        if (body.code === 'outcome-unknown') records.record(user, action, id);
        problems.set(id, body);
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));

  const isDecidedBefore = [...problems.values()].some(({ code }) => code === 'conflict');
  const current = new Map((isDecidedBefore ? await operator.payments() : []).map((payment) => [payment.id, payment]));
  const deciders = records.actors('approve-payment', 'reject-payment');
  return input.ids.map((id) => {
    const problem = problems.get(id);
    const payment = problem?.code === 'conflict' ? current.get(id) : undefined;
    const before =
      payment === undefined || payment.state === 'submitted'
        ? undefined
        : { ...decisionOf(payment, deciders.get(id)?.at(-1)), state: payment.state };
    return { id, problem, before };
  });
}
