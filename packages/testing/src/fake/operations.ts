import {
  changeKinds,
  type AbsenceDelta,
  type Body,
  type ChangeKind,
  type ListOperationId,
  type OperationId,
  type Operations,
  type PathParameters,
  type Query,
  type SalaryHistoryEntry,
} from '@hr/schemas';
import { mayHear, isVisible, patchedFields, problems, type Inputs } from '@hr/schemas/provider';
import {
  applyPatch,
  deletedAbsence,
  deletedPerson,
  deletedTimeBookingDay,
  erasedPerson,
  matchesAbsenceFilter,
  personDelta,
  systems,
  withinMonths,
} from '@hr/schemas/rules';
import type { z } from 'zod';
import { compareKeys, lists, type Row } from '../model/lists.ts';
import type { Moment, Reader } from './changes.ts';
import { shownDecision, shownPayment, submitPayment } from './payments.ts';
import { changePerson, wholePerson } from './persons.ts';
import type { Store, StoredContract, StoredPerson } from './store.ts';
import { addEndpoint, rotateSecret, send, tellEndpoints, type HeldEndpoint } from './webhooks.ts';

/** A request of an operation whose inputs have been checked. */
interface Call<Path = unknown, Sent = unknown, Content = unknown> extends Inputs<Path, Sent, Content>, Reader {
  readonly store: Store;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Whether a list of changes has what changed then; `undefined` for a full list. */
  readonly isSince?: ((moment: Moment | undefined) => boolean) | undefined;
}

type Element<Id extends OperationId> =
  | z.output<Operations[Id]['response']>
  | (Operations[Id] extends { delta: infer Delta extends z.ZodType } ? z.output<Delta> : never);

type Handler<Id extends OperationId> = (
  call: Call<PathParameters<Id>, Query<Id>, Body<Id>>,
) => (Operations[Id]['list'] extends true ? readonly Element<Id>[] : Element<Id> | Promise<Element<Id>>) | undefined;

const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listPersons({ store, grants, isSince }) {
    const shown = [...store.persons.values()].map((person) => visiblePart(wholePerson(store, person), grants));
    if (!isSince) return shown;
    const visible = grants.systems ?? systems;
    const changed = shown.flatMap((person) => {
      const last = store.persons.get(person.id)?.changed;
      const those = visible.filter((system) => isSince(last?.[system]));
      return those.length > 0 ? [personDelta(person, those)] : [];
    });
    const gone = [...store.deleted].flatMap(([id, { deleted, isErased }]) =>
      isSince(deleted) ? [visiblePart(isErased ? erasedPerson(id) : deletedPerson(id), grants)] : [],
    );
    return [...changed, ...gone];
  },

  updatePerson({ store, grants, path, body }) {
    const changed = patchedFields(grants, Object.keys(body));
    const person = store.persons.get(path.id);
    if (!person) return undefined;
    changePerson(store, person, () => Object.assign(person, { record: applyPatch(person.record, body) }));
    const mayList = grants.operations?.includes('listPersons') ?? true;
    return visiblePart(wholePerson(store, person), { ...grants, ...(!mayList && { fields: changed }) });
  },

  submitVariablePayment({ store, clientId, path, query, body, idempotencyKey }) {
    const submission = { payrollContractId: path.contractId, billingPeriod: query.billingPeriod, payment: body };
    const payment = submitPayment(store, submission, { clientId, idempotencyKey });
    if (payment === 'in-flight') throw problems.keyInFlight();
    if (payment === 'reused') throw problems.keyReused();
    return payment && shownPayment(payment);
  },

  listVariablePayments({ store, path: { contractId }, query }) {
    if (!store.contracts.get(contractId)?.employment) return undefined;
    const approved = [...store.payments.values()].filter(
      ({ payrollContractId, billingPeriod, state }) =>
        state === 'approved' &&
        payrollContractId === contractId &&
        billingPeriod === (query.billingPeriod ?? billingPeriod),
    );
    return approved.map(shownPayment);
  },

  listVariablePaymentDecisions({ store, clientId, isSince }) {
    const own = [...store.payments.values()].filter(
      (payment) => payment.clientId === clientId && payment.decided && (isSince?.(payment.decided) ?? true),
    );
    return own.map(shownDecision);
  },

  listTimeBookings(call) {
    const accounts = personIdsOf(call).map((personId) => {
      const records = listed(call, personId, 'timeDays') ?? [];
      const window = call.query;
      const shown = records.filter(([date]) => withinMonths(date, window));
      const days = shown.map(([date, day]) => day ?? deletedTimeBookingDay(date));
      return { personId, days: days.toSorted((one, other) => (one.date < other.date ? -1 : 1)) };
    });
    return accounts.filter(({ days }) => days.length > 0);
  },

  listSalaryHistory({ store, path, query }) {
    return salariesOf(store.contracts.get(path.contractId), query);
  },

  listAllSalaries({ store, query }) {
    return [...store.contracts.values()].flatMap((contract) => salariesOf(contract, query) ?? []);
  },

  listAbsences: (call) => absencesOf(call, call.path.personId),

  listAllAbsences: (call) => personIdsOf(call).flatMap((personId) => absencesOf(call, personId) ?? []),

  async getChanges(call) {
    const { store, query, signal } = call;
    const { after, wait = '0' } = query;
    if (after === undefined) return { cursor: store.changes.cursorFor(call), changed: [] };
    const end = performance.now() + Number(wait) * 1000;
    for (;;) {
      const cursor = store.changes.cursorFor(call);
      const changed = changedAfter(store, call, after);
      const left = end - performance.now();
      if (changed.length > 0 || left <= 0 || signal.aborted) return { cursor, changed };
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      await store.changes.next(left, signal);
    }
  },

  createWebhookEndpoint: (call) => addEndpoint(call.store, call.body, call),

  listWebhookEndpoints: ({ store, clientId }) =>
    [...store.webhookEndpoints.values()].flatMap((held) => (held.clientId === clientId ? [held.endpoint] : [])),

  listWebhookDeliveries: (call) => endpointOf(call)?.deliveries,

  testWebhookEndpoint(call) {
    const held = endpointOf(call);
    const delivery = held && send(call.store, held, 'test', {});
    // What failed before may succeed now.
    void delivery?.then(() => tellReceivers(call.store));
    return delivery;
  },

  rotateWebhookSecret(call) {
    const held = endpointOf(call);
    return held && rotateSecret(held);
  },

  deleteWebhookEndpoint(call) {
    const held = endpointOf(call);
    if (held) call.store.webhookEndpoints.delete(held.endpoint.id);
    return held?.endpoint;
  },
};

/** The endpoint of the client that a path names. */
function endpointOf({
  store,
  clientId,
  path: { endpointId },
}: Call<PathParameters<'testWebhookEndpoint'>>): HeldEndpoint | undefined {
  const held = store.webhookEndpoints.get(endpointId);
  return held?.clientId === clientId ? held : undefined;
}

/** An operation that reads each kind of change of all. */
const readers = {
  persons: 'listPersons',
  timeBookings: 'listTimeBookings',
  absences: 'listAllAbsences',
  salaries: 'listAllSalaries',
  decisions: 'listVariablePaymentDecisions',
} as const satisfies Record<ChangeKind, OperationId>;

/**
 * What changed after a cursor that the client may read.
 *
 * @throws {HttpProblem} `invalid-request`, `cursor-expired`.
 */
function changedAfter(store: Store, reader: Reader, after: string): ChangeKind[] {
  const { grants } = reader;
  const isSince = startOf(store, reader, { after });
  return changeKinds.filter((kind) => {
    if (!mayHear(grants, kind)) return false;
    if (kind === 'salaries') return isSince?.(store.salariesChanged);
    return (
      (handlers[readers[kind]]({ ...reader, store, query: {}, isSince } as never) as readonly unknown[]).length > 0
    );
  });
}

/** Sends to webhook endpoints what changed. */
export async function tellReceivers(store: Store): Promise<void> {
  await tellEndpoints(store, (reader, cursor) => changedAfter(store, reader, cursor));
}

/** The salaries of a contract; `undefined` if the API does not show the contract. */
function salariesOf(
  contract: StoredContract | undefined,
  window: Query<'listAllSalaries'>,
): SalaryHistoryEntry[] | undefined {
  if (!contract?.employment) return undefined;
  return [...contract.salaries].flatMap(([month, entry]) => (withinMonths(month, window) ? [entry] : []));
}

/** The absences of a person; `undefined` if the person is unknown. */
function absencesOf(call: Call<unknown, Query<'listAbsences'>>, personId: string): AbsenceDelta[] | undefined {
  return listed(call, personId, 'absences')?.flatMap(([id, absence]): AbsenceDelta[] => {
    if (!absence) return [deletedAbsence(id, personId)];
    return matchesAbsenceFilter(absence, call.query) ? [absence] : [];
  });
}

function personIdsOf({ store: { persons, deleted } }: Call): string[] {
  return [...persons.keys(), ...deleted.keys()];
}

/** The fields of a person that a client may see, with the marks of a deleted one. */
function visiblePart<Shown extends object>(person: Shown, grants: Parameters<typeof isVisible>[0]): Shown {
  const fields = Object.entries(person).filter(([name, value]) => value === true || isVisible(grants, name));
  return Object.fromEntries(fields) as Shown;
}

type Records = Pick<StoredPerson, 'timeDays' | 'absences'>;
type ContentOf<Kind extends keyof Records> =
  Records[Kind] extends Map<string, { readonly content: infer Content }> ? Content : never;

/**
 * The days or absences of a person that a list has, by their keys; `undefined` of those that were deleted, also with
 * their person. `undefined` instead of a list if the person is unknown.
 */
function listed<Kind extends keyof Records>(
  { store: { persons, deleted }, isSince }: Call,
  personId: string,
  kind: Kind,
): [key: string, content: ContentOf<Kind> | undefined][] | undefined {
  const shown = persons.get(personId);
  const former = deleted.get(personId);
  const person = shown ?? (isSince?.(former?.deleted) ? former?.person : undefined);
  if (!person) return undefined;
  const hasTurned = isSince?.(shown ? shown.shown : former?.deleted);
  return [...person[kind]].flatMap(([key, { content, changed }]): [string, ContentOf<Kind> | undefined][] => {
    const isListed = content === undefined ? isSince?.(changed) : !isSince || hasTurned || isSince(changed);
    return isListed ? [[key, shown ? (content as ContentOf<Kind>) : undefined]] : [];
  });
}

/** What counts as changed in a list; `undefined` for a full list. */
function startOf(store: Store, reader: Reader, { changedSince, after }: Query<'listPersons'>): Call['isSince'] {
  if (after !== undefined) {
    const last = store.changes.read(after, reader);
    return (moment) => moment !== undefined && moment.number > last;
  }
  return changedSince === undefined ? undefined : (moment) => moment !== undefined && moment.day >= changedSince;
}

/** Handles an operation; `undefined` if the path has an unknown id. */
export async function handleOperation(id: string, call: Call): Promise<object | undefined> {
  const isSince = startOf(call.store, call, call.query as Query<'listPersons'>);
  // Sound: the schemas and the handler belong to the same operation.
  const response: object | undefined = await handlers[id as OperationId]({ ...call, isSince } as never);
  if (!Array.isArray(response)) return response;
  // Payments of the same month stay in the order of their submission.
  const { key } = lists[id as ListOperationId];
  return response.toSorted((one: Row, other: Row) => compareKeys(key(one), key(other)));
}
