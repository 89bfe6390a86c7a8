import type { OutboxEntry, OutboxPayment } from '@hr/client/mirror';
import type { Console } from '../backend/console.ts';
import { MAX_LIST_LENGTH, type OperatorPayment, type PaymentFilter } from '../backend/operator-client.ts';
import { Problem } from '../backend/problem.ts';
import type { Batch, User } from '../backend/records.ts';
import { totalsOf, type Totals } from '../model/totals.ts';
import { contractPersons, findContracts, type ContractPerson } from './contract-persons.ts';
import type { PaymentState } from './payment-states.ts';
import type { NumberedRow } from './submissions.ts';

/** Why a person cannot decide on a payment. */
export type Bar = 'own' | 'unknown-submitter';

/** Who submitted a payment. */
interface Submission {
  readonly contractId: string;
  /** Undefined if the local copy does not have the contract. */
  readonly person: ContractPerson | undefined;
  /** Id of the client. */
  readonly submittedBy: string;
  /** The people who submitted it in this console, or sent it again; empty if it does not know them. */
  readonly submitters: readonly string[];
  /** Why the person who asks cannot decide on it. */
  readonly bar: Bar | undefined;
}

/** A payment of the service, or one that the console sent and the service did not take, as far as is known. */
export interface InboxPayment extends Submission {
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

/** A payment of the outbox. */
export type SentEntry = Pick<OutboxEntry, 'id' | 'batch' | 'code' | 'message' | 'requestId'>;

/** Which payments to list. Those of the outbox that the service does not have are listed by their state alone. */
export interface InboxQuery {
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

/** What a list of payments has beside them. */
export interface InboxSummary {
  /** By state: of the service, those that match the period and the search; of the outbox, all. */
  readonly counts: Readonly<Partial<Record<PaymentState, number>>>;
  /** The billing periods of payments that match the search, the latest first. */
  readonly periods: readonly string[];
  /** Of the payments that match all conditions. Undefined if these are none of the service, or all that it ever had. */
  readonly totals: Totals | undefined;
  /** Whether too many contracts match the search to list their payments. */
  readonly isTooBroad: boolean;
  /** When the payments were read, an ISO 8601 instant. */
  readonly readAt: string;
  /** The state of the names. */
  readonly namesAsOf: string | undefined;
}

export const PAGE_SIZE = 100;
const MAX_CONTRACTS = 500;
/** Of payments that the service does not have. */
const localStates = ['unknown', 'sending', 'refused'] as const;
type LocalState = (typeof localStates)[number];

/** Lists payments of the service, or those of the outbox that it does not have, and on the first page their summary. */
export async function readInbox(
  context: Console,
  user: User,
  { state, period, q, from: before }: InboxQuery,
): Promise<InboxPage & Partial<InboxSummary>> {
  const { cloud, live } = context;
  const contracts =
    q === undefined ? undefined : findContracts(cloud.mirror, q, MAX_CONTRACTS + 1).map(({ contractId }) => contractId);
  const isTooBroad = contracts !== undefined && isTooLong(contracts);
  const matchesNone = isTooBroad || contracts?.length === 0;
  const filter: PaymentFilter = { payrollContractId: contracts?.join(',') };
  const narrow: PaymentFilter = { ...filter, billingPeriod: period, ...(isListed(state) && { state }) };
  const local = localStates.find((one) => one === state);
  const read = async (): Promise<InboxPage> => {
    if (local !== undefined) return localPage(context, user, local, before);
    return matchesNone ? { payments: [], next: undefined } : await listedPage(context, user, narrow, before);
  };
  if (before !== undefined) return await read();
  const readAt = new Date().toISOString();
  // To add up all payments that were ever approved takes long, and is compared with nothing.
  const hasTotals = local === undefined && (state === 'submitted' || period !== undefined || contracts !== undefined);
  const [page, counted, summed] = await Promise.all([
    read(),
    matchesNone ? [] : cloud.operator.countPayments(filter),
    matchesNone || !hasTotals ? [] : cloud.operator.countPayments({ ...narrow, sums: 'true' }),
  ]);
  const counts = new Map<PaymentState, number>();
  for (const { state: one, billingPeriod, payments: count } of counted) {
    if (period === undefined || billingPeriod === period) counts.set(one, (counts.get(one) ?? 0) + count);
  }
  for (const one of localStates) counts.set(one, cloud.outbox.counts({ state: one })[one] ?? 0);
  return {
    ...page,
    counts: Object.fromEntries(counts),
    periods: [...new Set(counted.map(({ billingPeriod }) => billingPeriod))].toSorted().toReversed(),
    totals: hasTotals ? addedUp(summed) : undefined,
    isTooBroad,
    readAt,
    namesAsOf: live.health.currentAt,
  };
}

function isListed(state: PaymentState | 'all'): state is OperatorPayment['state'] {
  return state === 'submitted' || state === 'approved' || state === 'rejected';
}

function isTooLong(contracts: readonly string[]): boolean {
  return contracts.length > MAX_CONTRACTS || encodeURIComponent(contracts.join(',')).length > 2 * MAX_LIST_LENGTH;
}

/** Adds up what the service has added up by state and billing period. */
function addedUp(counted: readonly Totals[]): Totals {
  return { ...totalsOf(counted), payments: counted.reduce((sum, { payments }) => sum + payments, 0) };
}

async function listedPage(
  context: Console,
  user: User,
  filter: PaymentFilter,
  before: string | undefined,
): Promise<InboxPage> {
  const listed = await context.cloud.operator.payments({ ...filter, last: String(PAGE_SIZE), before });
  const view = inboxView(context, user);
  return {
    payments: listed.map(view.ofService).toReversed(),
    next: listed.length === PAGE_SIZE ? listed[0]?.id : undefined,
  };
}

/** Lists entries of the outbox that the service does not have, the latest first. */
function localPage(context: Console, user: User, state: LocalState, before: string | undefined): InboxPage {
  const view = inboxView(context, user);
  const payments: InboxPayment[] = [];
  for (const entry of context.cloud.outbox.entries({ state, before, latestFirst: true })) {
    if (entry.resentAs === undefined) payments.push(view.ofOutbox(entry));
    if (payments.length === PAGE_SIZE) return { payments, next: entry.id };
  }
  return { payments, next: undefined };
}

/** A payment, and the requests that submitted it and decided on it. */
export interface PaymentDetails {
  readonly payment: InboxPayment;
  readonly events: readonly { readonly operation: string; readonly requestId: string }[];
}

/**
 * Reads a payment of the service or of the outbox.
 *
 * @throws {Problem} `not-found`.
 */
export async function readPayment(context: Console, user: User, key: string): Promise<PaymentDetails> {
  const { operator, outbox, clientId } = context.cloud;
  const view = inboxView(context, user);
  const entry = outbox.entry(key);
  const [payment] = entry
    ? await operator.paymentsWith('idempotencyKey', [key], { submittedBy: clientId })
    : await operator.paymentsWith('id', [key]);
  if (payment === undefined) {
    if (entry === undefined) throw new Problem('not-found', 'There is no such payment.');
    return { payment: view.ofOutbox(entry), events: [] };
  }
  const events = await operator.auditEvents({ objectId: payment.id, access: 'change' });
  return {
    payment: view.ofService(payment),
    events: events.map(({ operation, requestId }) => ({ operation, requestId })),
  };
}

/** How a person sees payments of the service, of the outbox, and those that were not sent. */
export function inboxView({ cloud, records }: Console, user: User) {
  const { persons } = contractPersons(cloud.mirror);
  const submittersOf = new Map<string, string[]>();

  /**
   * Submitters are recorded before the first payment of a batch is sent, so they are known even if the console ends at any
   * moment. Nobody decides on a payment of the console's own client without them, such as after its folder was lost: it may
   * be the person's own.
   */
  function submission(contractId: string, clientId: string, batch = ''): Submission {
    const submitters = submittersOf.get(batch) ?? records.submitters(batch);
    submittersOf.set(batch, submitters);
    const isUnknown = clientId === cloud.clientId && submitters.length === 0;
    const bar = submitters.includes(user.name) ? 'own' : isUnknown ? 'unknown-submitter' : undefined;
    return { contractId, person: persons.get(contractId), submittedBy: clientId, submitters, bar };
  }

  return {
    submission,
    ofService: (payment: OperatorPayment): InboxPayment => {
      const { id, state, submittedBy, submittedAt, masterCostCenter, idempotencyKey, decidedAt, decidedBy, reason } =
        payment;
      const entry = submittedBy === cloud.clientId && idempotencyKey ? cloud.outbox.entry(idempotencyKey) : undefined;
      return {
        ...submission(payment.payrollContractId, submittedBy, entry?.batch),
        key: entry?.id ?? id,
        paymentId: id,
        state,
        payment: contentOnly(payment),
        row: entry?.row,
        submittedAt,
        decision: decidedAt === undefined ? undefined : { at: decidedAt, by: decidedBy, person: decider(id), reason },
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

  function decider(id: string): string | undefined {
    return records.actors(id, 'approve-payment', 'reject-payment').at(-1);
  }
}

function sentEntry({ id, batch, code, message, requestId }: OutboxEntry): SentEntry {
  return { id, batch, code, message, requestId };
}

function contentOnly(payment: OperatorPayment): OutboxPayment {
  const { billingPeriod, correctionPeriod, compensationComponentId } = payment;
  const { amount, hours, days, hourlyFactor, percentage } = payment;
  const values = { amount, hours, days, hourlyFactor, percentage };
  return { billingPeriod, correctionPeriod, compensationComponentId, ...values } as OutboxPayment;
}
