import type { OutboxEntry, OutboxPayment } from '@hr/client/mirror';
import type { Console } from '../backend/console.ts';
import { MAX_LIST_LENGTH, type OperatorPayment, type PaymentFilter } from '../backend/operator-client.ts';
import { Problem } from '../backend/problem.ts';
import type { Batch } from '../backend/records.ts';
import { countSeen, listSeen, seesBatch } from '../backend/seen-payments.ts';
import type { Asker } from '../backend/sessions.ts';
import { totalsOf } from '../model/totals.ts';
import { contractPersons, contractRights, findContracts, type ContractPerson } from '../backend/contract-persons.ts';
import { paymentStates, type PaymentState } from './payment-states.ts';
import type { NumberedRow, Submissions } from './submissions.ts';

/** A payment of the service, or one that the console sent and the service did not take, as far as is known. */
export interface InboxPayment {
  readonly contractId: string;
  /** Undefined if the local copy does not have the contract. */
  readonly person: ContractPerson | undefined;
  /** Id of the client. */
  readonly submittedBy: string;
  /** The names of those who submitted it in this console, or sent it again; empty if it does not know them. */
  readonly submitters: readonly string[];
  /** Why the person who asks cannot decide on it. */
  readonly bar: 'own' | 'unknown-submitter' | 'no-right' | undefined;
  /** Id of its entry in the outbox, or else of the payment at the service. */
  readonly key: string;
  /** Id of the payment at the service; undefined if the console did not ask for it. */
  readonly paymentId?: string;
  readonly state: PaymentState;
  readonly payment: OutboxPayment;
  /** Number in its batch. */
  readonly row: number | undefined;
  readonly submittedAt: string;
  readonly decision?: Decision | undefined;
  readonly masterCostCenter?: string | undefined;
  /** Its entry in the outbox. */
  readonly entry?: SentEntry | undefined;
}

/** A decision on a payment. */
export interface Decision {
  readonly at: string;
  /** Id of the client. */
  readonly by?: string | undefined;
  /** The person who decided in this console. */
  readonly person?: string | undefined;
  readonly reason: string | undefined;
}

export type SentEntry = Pick<OutboxEntry, 'id' | 'batch' | 'code' | 'message' | 'requestId'>;

/** Which payments to list. Those of the outbox that the service does not have are listed by their state alone. */
interface InboxQuery {
  readonly state: PaymentState | 'all';
  readonly period?: string | undefined;
  /** Words of a name, or the beginning of the id of a contract. */
  readonly q?: string | undefined;
  /** `next` of the page before. */
  readonly from?: string | undefined;
}

/** Payments that are listed together, the newest first. */
export interface InboxPage {
  readonly payments: readonly InboxPayment[];
  /** Where the next page begins; undefined if this is the last one. */
  readonly next: string | undefined;
}

const PAGE_SIZE = 100;
const MAX_CONTRACTS = 500;
/** Of payments that the service does not have. */
const localStates = ['unknown', 'sending', 'refused'] as const;
type LocalState = (typeof localStates)[number];

/** What a list of payments has beside them. */
export type InboxSummary = NonNullable<Awaited<ReturnType<typeof readInbox>>['summary']>;

/** Lists payments of the service, or those of the outbox that it does not have. Only the first page has a summary. */
export async function readInbox(context: Console, asker: Asker, { state, period, q, from: before }: InboxQuery) {
  const { cloud, live } = context;
  const { operator, outbox } = cloud;
  const { view } = asker;
  const contracts =
    q === undefined ? undefined : findContracts(view, q, MAX_CONTRACTS + 1, 'pay').map(({ contractId }) => contractId);
  const payrollContractId = contracts?.join(',');
  const isTooBroad =
    contracts !== undefined &&
    (contracts.length > MAX_CONTRACTS || encodeURIComponent(contracts.join(',')).length > 2 * MAX_LIST_LENGTH);
  const matchesNone = isTooBroad || contracts?.length === 0;
  const local = localStates.find((one) => one === state);
  const narrow: PaymentFilter = {
    payrollContractId,
    billingPeriod: period,
    state: state === 'all' || local ? undefined : state,
  };
  const read = async (): Promise<InboxPage> => {
    if (local !== undefined) return localPage(context, asker, local, before);
    if (matchesNone) return { payments: [], next: undefined };
    const listed = await listSeen(operator, view, { ...narrow, last: String(PAGE_SIZE), before });
    const next = listed.length === PAGE_SIZE ? listed[0]?.id : undefined;
    return { payments: listed.map(inboxView(context, asker).ofService).toReversed(), next };
  };
  if (before !== undefined) return { ...(await read()), summary: undefined };
  const readAt = new Date().toISOString();
  // To add up all payments that were ever approved takes long, and is compared with nothing.
  const hasTotals = local === undefined && (state === 'submitted' || period !== undefined || contracts !== undefined);
  const [page, counted, summed] = await Promise.all([
    read(),
    matchesNone ? [] : countSeen(operator, view, { payrollContractId }),
    matchesNone || !hasTotals ? [] : countSeen(operator, view, { ...narrow, sums: 'true' }),
  ]);
  const ofPeriod = counted.filter(({ billingPeriod }) => period === undefined || billingPeriod === period);
  const countOf = (some: typeof counted): number => some.reduce((sum, { payments }) => sum + payments, 0);
  const listed = Map.groupBy(ofPeriod, (one) => one.state);
  const countLocal = (one: LocalState): number => {
    if (view.mayForAll('pay')) return outbox.counts({ state: one })[one] ?? 0;
    const may = contractRights(view);
    const entries = [...outbox.entries({ state: one })];
    return entries.filter(({ resentAs, contractId }) => resentAs === undefined && may(contractId, 'pay')).length;
  };
  return {
    ...page,
    summary: {
      /** By state: of the service, those that match the period and the search; of the outbox, all. */
      counts: Object.fromEntries([
        ...Array.from(listed, ([one, some]) => [one, countOf(some)] as const),
        ...localStates.map((one) => [one, countLocal(one)] as const),
      ]) as Partial<Record<PaymentState, number>>,
      /** The billing periods of payments that match the search, the latest first. */
      periods: [...new Set(counted.map(({ billingPeriod }) => billingPeriod))].toSorted().toReversed(),
      /** Of the payments that match all conditions. Undefined if these are none of the service, or all that it ever had. */
      totals: hasTotals ? { ...totalsOf(summed), payments: countOf(summed) } : undefined,
      /** Whether too many contracts match the search to list their payments. */
      isTooBroad,
      /** When the payments were read, an ISO 8601 instant. */
      readAt,
      /** The state of the names. */
      namesAsOf: live.health.currentAt,
    },
  };
}

/** Lists entries of the outbox that the service does not have, the latest first. */
function localPage(context: Console, asker: Asker, state: LocalState, before: string | undefined): InboxPage {
  const view = inboxView(context, asker);
  const may = contractRights(asker.view);
  const payments: InboxPayment[] = [];
  for (const entry of context.cloud.outbox.entries({ state, before, latestFirst: true })) {
    if (entry.resentAs === undefined && may(entry.contractId, 'pay')) payments.push(view.ofOutbox(entry));
    if (payments.length === PAGE_SIZE) return { payments, next: entry.id };
  }
  return { payments, next: undefined };
}

/** A payment, and the requests that submitted it and decided on it. */
export type PaymentDetails = Awaited<ReturnType<typeof readPayment>>;

/**
 * Reads a payment of the service or of the outbox.
 *
 * @throws {Problem} `not-found`.
 */
export async function readPayment(context: Console, asker: Asker, key: string) {
  const { operator, outbox, clientId } = context.cloud;
  const view = inboxView(context, asker);
  const may = contractRights(asker.view);
  const entry = outbox.entry(key);
  const [payment] = entry
    ? await operator.paymentsWith('idempotencyKey', [key], { submittedBy: clientId })
    : await operator.paymentsWith('id', [key]);
  const contract = payment?.payrollContractId ?? entry?.contractId;
  if (contract === undefined || !may(contract, 'pay')) throw new Problem('not-found', 'There is no such payment.');
  if (payment === undefined) {
    return { payment: view.ofOutbox(entry as OutboxEntry), events: [] };
  }
  const events = await operator.auditEvents({ objectId: payment.id, access: 'change' });
  const requests = events.map(({ operation, requestId }) => ({ operation, requestId }));
  return { payment: view.ofService(payment), events: requests };
}

/** How a person sees payments of the service, of the outbox, and those that were not sent. */
export function inboxView({ cloud, records }: Console, { user, view }: Asker) {
  const persons = contractPersons(view);
  const may = contractRights(view);
  const submittersOf = new Map<string, string[]>();

  /**
   * Submitters are recorded before the first payment of a batch is sent, so they are known even if the console ends at any
   * moment. Nobody decides on a payment of the console's own client without them, such as after its folder was lost: it may
   * be the person's own.
   */
  function submission(contractId: string, submittedBy: string, batch = '') {
    const submitters = submittersOf.get(batch) ?? records.submitters(batch);
    submittersOf.set(batch, submitters);
    const isUnknown = submittedBy === cloud.clientId && submitters.length === 0;
    const mayNot = !may(contractId, 'approver', 'pay') ? 'no-right' : isUnknown ? 'unknown-submitter' : undefined;
    const bar = submitters.includes(user.id) ? 'own' : mayNot;
    return {
      contractId,
      person: persons.get(contractId),
      submittedBy,
      submitters: submitters.map((id) => records.nameOf(id)),
      bar,
    } as const;
  }

  return {
    submission,
    ofService: (payment: OperatorPayment): InboxPayment => {
      const { id, state, submittedBy, submittedAt, masterCostCenter, idempotencyKey, decidedAt, decidedBy, reason } =
        payment;
      const { billingPeriod, correctionPeriod, compensationComponentId } = payment;
      const { amount, hours, days, hourlyFactor, percentage } = payment;
      const values = { amount, hours, days, hourlyFactor, percentage };
      const entry = submittedBy === cloud.clientId && idempotencyKey ? cloud.outbox.entry(idempotencyKey) : undefined;
      const [decider] = records.actors(id, 'approve-payment', 'reject-payment').slice(-1);
      const person = decider === undefined ? undefined : records.nameOf(decider);
      return {
        ...submission(payment.payrollContractId, submittedBy, entry?.batch),
        key: entry?.id ?? id,
        paymentId: id,
        state,
        payment: { billingPeriod, correctionPeriod, compensationComponentId, ...values } as OutboxPayment,
        row: entry?.row,
        submittedAt,
        decision: decidedAt === undefined ? undefined : { at: decidedAt, by: decidedBy, person, reason },
        masterCostCenter,
        entry: entry && sentEntry(entry),
      };
    },
    ofOutbox: (entry: OutboxEntry): InboxPayment => {
      const { id, contractId, payment, state, row, sentAt, decidedAt, reason } = entry;
      return {
        ...submission(contractId, cloud.clientId, entry.batch),
        key: id,
        state: state === 'sent' ? 'submitted' : state,
        payment,
        row,
        submittedAt: sentAt,
        decision: decidedAt === undefined ? undefined : { at: decidedAt, reason },
        entry: sentEntry(entry),
      };
    },
    ofUnsent: ({ id, at }: Batch, { row, contractId, payment }: NumberedRow, state: PaymentState): InboxPayment => ({
      ...submission(contractId, cloud.clientId, id),
      key: `${id}/${row}`,
      state,
      payment,
      row,
      submittedAt: at,
    }),
  };
}

function sentEntry({ id, batch, code, message, requestId }: OutboxEntry): SentEntry {
  return { id, batch, code, message, requestId };
}

/** Batches, the newest first. */
export type BatchesPage = Awaited<ReturnType<typeof listBatches>>;
/** A batch with a page of its payments, in their order. */
export type BatchPage = Awaited<ReturnType<typeof readBatch>>;

const MAX_BATCHES = 50;

/** Takes the decisions that were made since the last call. Without them, what is shown is what was known before. */
async function takeDecisions({ cloud }: Console): Promise<void> {
  await cloud.outbox.reconcile(cloud.hr).catch(() => undefined);
}

/**
 * Lists batches.
 *
 * @param from - `next` of the page before.
 */
export async function listBatches(context: Console, submissions: Submissions, asker: Asker, from: string | undefined) {
  const { records, cloud } = context;
  await takeDecisions(context);
  const seen: Batch[] = [];
  for (
    let some = records.batches(MAX_BATCHES, from);
    some.length > 0 && seen.length < MAX_BATCHES;
    some = records.batches(MAX_BATCHES, some.at(-1)?.id)
  ) {
    seen.push(...some.filter(({ id }) => seesBatch(context, asker, id)));
  }
  const batches = seen.slice(0, MAX_BATCHES);
  return {
    batches: batches.map((batch) => {
      const { sent = 0, ...others } = cloud.outbox.counts({ batch: batch.id });
      const rest = batch.totals.payments - Object.values(others).reduce((sum, count) => sum + count, sent);
      const counts: Partial<Record<PaymentState, number>> = { ...others, submitted: sent };
      const unsent = submissions.isRunning(batch.id) ? 'sending' : 'not-sent';
      counts[unsent] = (counts[unsent] ?? 0) + rest;
      return { ...batch, submitters: records.submitters(batch.id).map((one) => records.nameOf(one)), counts };
    }),
    /** Undefined if this is the last page. */
    next: batches.length === MAX_BATCHES ? batches.at(-1)?.id : undefined,
  };
}

/**
 * Reads a batch, and those of its payments that are in a state.
 *
 * @param from - `next` of the page before.
 * @throws {Problem} `not-found` if it was never started.
 */
export async function readBatch(
  context: Console,
  submissions: Submissions,
  asker: Asker,
  { id, state, from = '0' }: { id: string; state?: PaymentState | undefined; from?: string | undefined },
) {
  const { records, cloud } = context;
  const batch = records.batch(id);
  if (batch === undefined || !seesBatch(context, asker, id))
    throw new Problem('not-found', 'This batch was never started, so nothing was sent.');
  const isRunning = submissions.isRunning(id);
  if (!isRunning) await takeDecisions(context);
  const view = inboxView(context, asker);
  const entries = [...cloud.outbox.entries({ batch: id })];
  const unsent = submissions.unsentRows(id, entries);
  const rows = [
    ...entries.flatMap((entry) => (entry.resentAs === undefined ? view.ofOutbox(entry) : [])),
    ...unsent.map((row) => view.ofUnsent(batch, row, isRunning ? 'sending' : 'not-sent')),
  ].toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0));
  const ofState = Map.groupBy(rows, (one) => one.state);
  const shown = (state === undefined ? rows : (ofState.get(state) ?? [])).filter(({ row = 0 }) => row > Number(from));
  // The first submitter made it. The others sent payments of it again.
  const { submitters } = view.submission('', cloud.clientId, id);
  return {
    ...batch,
    submitters,
    /** Whether the person who asks made it. */
    isOwn: records.submitters(id)[0] === asker.user.id,
    /** Why the person who asks cannot decide on it. */
    bar: rows.find((one) => one.bar)?.bar,
    isRunning,
    /** Why it ended before its last row. */
    stop: submissions.stopOf(id),
    /** Number of the payments that were not sent, and that the console still has. */
    unsent: isRunning ? 0 : unsent.length,
    /** Of the payments in each state. */
    states: paymentStates.flatMap((one) => {
      const some = ofState.get(one);
      return some ? { state: one, ...totalsOf(some.map(({ payment }) => payment)) } : [];
    }),
    payments: shown.slice(0, PAGE_SIZE),
    next: shown.length > PAGE_SIZE ? String(shown[PAGE_SIZE - 1]?.row) : undefined,
  };
}
