import { Identifier, YearMonth } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { checkPayments, CheckInput } from './check-payments.ts';
import { findContracts } from './contract-persons.ts';
import { DecisionInput, Decisions } from './decisions.ts';
import { listBatches, readBatch, readInbox, readPayment, type InboxPage, type InboxSummary } from './payment-inbox.ts';
import { paymentStates } from './payment-states.ts';
import { EntriesInput, resendEntries, settleEntries } from './settle-entries.ts';
import { SubmissionInput, Submissions } from './submissions.ts';

const MAX_SEARCH_LENGTH = 100;
const MAX_FOUND = 20;
/** Of a table of as many rows as a batch may have. */
const MAX_TABLE_BYTES = 4 * 2 ** 20;

const Key = z.object({ key: Identifier });
const Batch = z.object({ batch: z.uuid() });
const Run = z.object({ run: z.uuid() });
const State = z.enum(paymentStates);
const From = z.object({ from: Identifier.optional() });
const Search = z.string().trim().min(1).max(MAX_SEARCH_LENGTH);
const ListQuery = From.extend({
  state: z.enum([...State.options, 'all']),
  period: YearMonth.optional(),
  q: Search.optional(),
});
const BatchQuery = From.extend({ state: State.optional() });

/** What the screen Payments shows. All but the payments is only on the first page. */
export type PaymentsScreen = InboxPage & Partial<InboxSummary & { readonly unsent: ReturnType<Submissions['unsent']> }>;

/** Adds the list of payments, the batches, decisions on them, and what submits them. */
export function addPaymentsRoutes(app: FastifyInstance, context: Console): void {
  const { cloud } = context;
  const submissions = new Submissions(context);
  const decisions = new Decisions(context);
  app.addHook('onClose', async () => void (await Promise.all([submissions.close(), decisions.close()])));
  const editor = { config: { role: 'editor' } } as const;
  const approver = { config: { role: 'approver' } } as const;
  const table = { ...editor, bodyLimit: MAX_TABLE_BYTES };

  app.get('/bff/payments', async ({ user, query }): Promise<PaymentsScreen> => {
    const { summary, ...page } = await readInbox(context, user, parseInput(ListQuery, query));
    return { ...page, ...(summary && { ...summary, unsent: submissions.unsent(user) }) };
  });

  app.get('/bff/payments/:key', ({ user, params }) => readPayment(context, user, parseInput(Key, params).key));

  app.get('/bff/payments/contracts', editor, ({ query }) =>
    findContracts(cloud.mirror, parseInput(z.object({ name: Search }), query).name, MAX_FOUND),
  );

  app.post('/bff/payments/decisions', approver, ({ user, body }) =>
    decisions.start(user, parseInput(DecisionInput, body)),
  );

  app.get('/bff/payments/decisions/:run', approver, ({ user, params }) =>
    decisions.get(user, parseInput(Run, params).run),
  );

  app.post('/bff/payments/decisions/:run/stop', approver, ({ user, params }) =>
    decisions.stop(user, parseInput(Run, params).run),
  );

  app.post('/bff/payments/check', table, ({ body }) =>
    checkPayments(cloud, parseInput(CheckInput, body), submissions.waiting),
  );

  app.post('/bff/payments/batches', table, async ({ user, body }, reply) => {
    await submissions.start(user, parseInput(SubmissionInput, body));
    return reply.code(204).send();
  });

  app.get('/bff/payments/batches', ({ query }) => listBatches(context, submissions, parseInput(From, query).from));

  app.get('/bff/payments/batches/:batch', ({ user, params, query }) =>
    readBatch(context, submissions, user, { id: parseInput(Batch, params).batch, ...parseInput(BatchQuery, query) }),
  );

  app.delete('/bff/payments/batches/:batch/unsent', editor, ({ user, params }, reply) => {
    submissions.discard(user, parseInput(Batch, params).batch);
    return reply.code(204).send();
  });

  app.post('/bff/payments/batches/:batch/correction', editor, ({ user, params }, reply) => {
    submissions.correct(user, parseInput(Batch, params).batch);
    return reply.code(204).send();
  });

  app.post('/bff/payments/settle', editor, ({ user, body }) =>
    settleEntries(context, user, parseInput(EntriesInput, body)),
  );

  app.post('/bff/payments/resend', editor, ({ user, body }) =>
    resendEntries(context, user, parseInput(EntriesInput, body)),
  );
}
