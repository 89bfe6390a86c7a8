import { isMirrorError } from '@hr/client/mirror';
import { Identifier } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { checkPayments, CheckInput, SubmissionRow } from './check-payments.ts';
import { findContracts, type FoundContract } from './contract-persons.ts';
import { DecisionInput, Decisions, type DecisionRun } from './decisions.ts';
import { MAX_ROWS } from './payment-cells.ts';
import { readInbox, type Inbox } from './payment-inbox.ts';
import { Submissions, type Submission, type UnsentBatch } from './submissions.ts';

const MAX_SEARCH_LENGTH = 100;
const Payment = z.object({ id: Identifier });
const Search = z.object({ name: z.string().trim().min(1).max(MAX_SEARCH_LENGTH) });
const Batch = z.object({ batch: z.uuid() });
const Run = z.object({ run: z.uuid() });
const SubmissionInput = z.strictObject({
  ...Batch.shape,
  rows: z.array(SubmissionRow).min(1).max(MAX_ROWS),
  /** The batch whose payments that were not sent are in this one. */
  replaces: z.uuid().optional(),
  /** Whether the person wants to submit payments that equal others. */
  allowEqual: z.boolean().default(false),
});
const ReconcileInput = z.strictObject({ entryId: z.uuid() });
const ResendInput = z.strictObject({ entryId: z.uuid(), mayPayTwice: z.literal(true).optional() });

/** What the screen Payments shows. */
export interface PaymentsScreen extends Inbox {
  readonly unsent: readonly UnsentBatch[];
}

/** A request that submitted a payment or decided on it. */
export interface PaymentEvent {
  readonly at: string;
  readonly operation: string;
  readonly actor: string;
  readonly requestId: string;
}

/** Adds the list of payments, decisions on them, and what submits them. */
export function addPaymentsRoutes(app: FastifyInstance, context: Console): void {
  const { cloud, live, records } = context;
  const submissions = new Submissions(context);
  const decisions = new Decisions(context);
  app.addHook('onClose', async () => void (await Promise.all([submissions.close(), decisions.close()])));

  app.get('/bff/payments', async ({ user }): Promise<PaymentsScreen> => ({
    ...(await readInbox(context, user)),
    unsent: submissions.unsent(user),
  }));

  app.get('/bff/payments/:id/events', async ({ params }): Promise<PaymentEvent[]> => {
    const { id } = parseInput(Payment, params);
    const events = await cloud.operator.auditEvents({ objectId: id, access: 'change' });
    return events
      .filter(({ operation }) => operation.endsWith('VariablePayment'))
      .map(({ at, operation, actor, requestId }) => ({ at, operation, actor, requestId }));
  });

  app.post('/bff/payments/decisions', { config: { role: 'approver' } }, ({ user, body }): Promise<DecisionRun> =>
    decisions.start(user, parseInput(DecisionInput, body)),
  );

  app.get('/bff/payments/decisions/:run', { config: { role: 'approver' } }, ({ user, params }): DecisionRun =>
    decisions.get(user, parseInput(Run, params).run),
  );

  app.post('/bff/payments/decisions/:run/stop', { config: { role: 'approver' } }, ({ user, params }) =>
    decisions.stop(user, parseInput(Run, params).run),
  );

  app.get('/bff/payments/contracts', { config: { role: 'editor' } }, ({ query }): FoundContract[] =>
    findContracts(cloud.mirror, parseInput(Search, query).name),
  );

  app.post('/bff/payments/check', { config: { role: 'editor' } }, ({ body }) =>
    checkPayments(cloud, parseInput(CheckInput, body), submissions.waiting),
  );

  app.post('/bff/payments/submissions', { config: { role: 'editor' } }, async ({ user, body }): Promise<Submission> => {
    const { rows, ...given } = parseInput(SubmissionInput, body);
    return await submissions.start(user, { ...given, rows: rows as readonly SubmissionRow[] });
  });

  app.get('/bff/payments/submissions/:batch', { config: { role: 'editor' } }, ({ params }): Submission => {
    const submission = submissions.get(parseInput(Batch, params).batch);
    if (submission === undefined) throw new Problem('not-found', 'This batch was never started, so nothing was sent.');
    return submission;
  });

  app.delete('/bff/payments/submissions/:batch/unsent', { config: { role: 'editor' } }, ({ user, params }, reply) => {
    submissions.discard(user, parseInput(Batch, params).batch);
    return reply.code(204).send();
  });

  app.post('/bff/payments/reconcile', { config: { role: 'editor' } }, async ({ body }) => {
    const { entryId } = parseInput(ReconcileInput, body);
    const { unsupported } = await cloud.outbox.reconcile(cloud.hr);
    live.announce('payments');
    if (unsupported) throw unsupported;
    return { state: cloud.outbox.entry(entryId)?.state };
  });

  app.post('/bff/payments/resend', { config: { role: 'editor' } }, async ({ user, body }) => {
    const { entryId, mayPayTwice } = parseInput(ResendInput, body);
    if (cloud.outbox.entry(entryId) === undefined) throw new Problem('not-found', 'The outbox has no such entry.');
    // Before the request, so that it is known whose payment it is even if the console ends meanwhile.
    records.record(user, 'resend-payment', entryId);
    try {
      const { id, state, code } = await cloud.outbox.resend(cloud.hr, entryId, { mayPayTwice });
      if (id !== entryId) records.recordSubmission(id, user);
      return { state, code };
    } catch (error) {
      if (!isMirrorError(error) || error.code === 'cannot-store') throw error;
      throw new Problem('conflict', `The payment cannot be sent again: ${error.code}.`);
    } finally {
      live.announce('payments');
    }
  });
}
