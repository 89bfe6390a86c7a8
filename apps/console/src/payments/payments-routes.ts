import { Identifier, YearMonth } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { checkPayments, CheckInput } from './check-payments.ts';
import { findContracts } from '../backend/contract-persons.ts';
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
  const needs = ['pay'] as const;
  const reader = { config: { needs } } as const;
  const editor = { config: { role: 'editor', needs } } as const;
  const approver = { config: { role: 'approver', needs } } as const;
  const table = { ...editor, bodyLimit: MAX_TABLE_BYTES };

  app.get('/bff/payments', reader, async (request): Promise<PaymentsScreen> => {
    const { summary, ...page } = await readInbox(context, request, parseInput(ListQuery, request.query));
    return { ...page, ...(summary && { ...summary, unsent: submissions.unsent(request.user) }) };
  });

  app.get('/bff/payments/:key', reader, (request) =>
    readPayment(context, request, parseInput(Key, request.params).key),
  );

  app.get('/bff/payments/contracts', editor, ({ view, query }) =>
    findContracts(view, parseInput(z.object({ name: Search }), query).name, MAX_FOUND, 'editor', 'pay'),
  );

  app.post('/bff/payments/decisions', approver, (request) =>
    decisions.start(request, parseInput(DecisionInput, request.body)),
  );

  app.get('/bff/payments/decisions/:run', approver, (request) =>
    decisions.get(request, parseInput(Run, request.params).run),
  );

  app.post('/bff/payments/decisions/:run/stop', approver, (request) =>
    decisions.stop(request, parseInput(Run, request.params).run),
  );

  app.post('/bff/payments/check', table, ({ view, body }) =>
    checkPayments(cloud, view, parseInput(CheckInput, body), submissions.waiting),
  );

  app.post('/bff/payments/batches', table, async (request, reply) => {
    await submissions.start(request, parseInput(SubmissionInput, request.body));
    return reply.code(204).send();
  });

  app.get('/bff/payments/batches', reader, (request) =>
    listBatches(context, submissions, request, parseInput(From, request.query).from),
  );

  app.get('/bff/payments/batches/:batch', reader, (request) =>
    readBatch(context, submissions, request, {
      id: parseInput(Batch, request.params).batch,
      ...parseInput(BatchQuery, request.query),
    }),
  );

  app.delete('/bff/payments/batches/:batch/unsent', editor, ({ user, params }, reply) => {
    submissions.discard(user, parseInput(Batch, params).batch);
    return reply.code(204).send();
  });

  app.post('/bff/payments/batches/:batch/correction', editor, (request, reply) => {
    submissions.correct(request, parseInput(Batch, request.params).batch);
    return reply.code(204).send();
  });

  app.post('/bff/payments/settle', editor, (request) =>
    settleEntries(context, request, parseInput(EntriesInput, request.body)),
  );

  app.post('/bff/payments/resend', editor, (request) =>
    resendEntries(context, request, parseInput(EntriesInput, request.body)),
  );
}
