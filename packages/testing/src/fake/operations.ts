import type { AbsenceDelta, Body, ListOperationId, OperationId, Operations, PathParameters, Query } from '@hr/schemas';
import { isVisible, patchedFields, problems, type Grants, type Inputs } from '@hr/schemas/provider';
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
import { shownPayment, submitPayment } from './payments.ts';
import { changePerson, wholePerson } from './persons.ts';
import type { Store, StoredPerson } from './store.ts';

/** A request of an operation whose inputs have been checked. */
interface Call<Path = unknown, Sent = unknown, Content = unknown> extends Inputs<Path, Sent, Content> {
  readonly store: Store;
  readonly clientId: string;
  readonly grants: Grants;
}

type Element<Id extends OperationId> =
  | z.output<Operations[Id]['response']>
  | (Operations[Id] extends { delta: infer Delta extends z.ZodType } ? z.output<Delta> : never);

type Handler<Id extends OperationId> = (
  call: Call<PathParameters<Id>, Query<Id>, Body<Id>>,
) => (Operations[Id]['list'] extends true ? readonly Element<Id>[] : Element<Id>) | undefined;

const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listPersons({ store, grants, query: { changedSince } }) {
    const shown = [...store.persons.values()].map((person) => visiblePart(wholePerson(store, person), grants));
    if (changedSince === undefined) return shown;
    const visible = grants.systems ?? systems;
    const changed = shown.flatMap((person) => {
      const changedOn = store.persons.get(person.id)?.changedOn;
      const those = visible.filter((system) => changedOn && changedOn[system] >= changedSince);
      return those.length > 0 ? [personDelta(person, those)] : [];
    });
    const deleted = [...store.deleted].flatMap(([id, { deletedOn, isErased }]) =>
      deletedOn >= changedSince ? [visiblePart(isErased ? erasedPerson(id) : deletedPerson(id), grants)] : [],
    );
    return [...changed, ...deleted];
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

  listTimeBookings({ store, query: { changedSince, ...window } }) {
    const personIds = [...store.persons.keys(), ...store.deleted.keys()];
    const accounts = personIds.map((personId) => {
      const records = listed(store, personId, 'timeDays', changedSince) ?? [];
      const shown = records.filter(([date]) => withinMonths(date, window));
      const days = shown.map(([date, day]) => day ?? deletedTimeBookingDay(date));
      return { personId, days: days.toSorted((one, other) => (one.date < other.date ? -1 : 1)) };
    });
    return accounts.filter(({ days }) => days.length > 0);
  },

  listSalaryHistory({ store, path, query }) {
    const contract = store.contracts.get(path.contractId);
    if (!contract?.employment) return undefined;
    const months = [...contract.salaries].filter(([month]) => withinMonths(month, query));
    return months.map(([, entry]) => entry);
  },

  listAbsences({ store, path: { personId }, query: { changedSince, ...window } }) {
    return listed(store, personId, 'absences', changedSince)?.flatMap(([id, absence]): AbsenceDelta[] => {
      if (!absence) return [deletedAbsence(id, personId)];
      return matchesAbsenceFilter(absence, window) ? [absence] : [];
    });
  },
};

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
  { persons, deleted }: Store,
  personId: string,
  kind: Kind,
  changedSince: string | undefined,
): [key: string, content: ContentOf<Kind> | undefined][] | undefined {
  const shown = persons.get(personId);
  const former = deleted.get(personId);
  const isSince = (day: string | undefined): boolean =>
    day !== undefined && changedSince !== undefined && day >= changedSince;
  const person = shown ?? (isSince(former?.deletedOn) ? former?.person : undefined);
  if (!person) return undefined;
  const hasTurned = isSince(shown ? shown.shownOn : former?.deletedOn);
  return [...person[kind]].flatMap(([key, { content, changedOn }]): [string, ContentOf<Kind> | undefined][] => {
    const isListed =
      changedSince === undefined ? content !== undefined : isSince(changedOn) || (content !== undefined && hasTurned);
    return isListed ? [[key, shown ? (content as ContentOf<Kind>) : undefined]] : [];
  });
}

/** Handles an operation; `undefined` if the path has an unknown id. */
export function handleOperation(id: string, call: Call): object | undefined {
  // Sound: the schemas and the handler belong to the same operation.
  const response: object | undefined = handlers[id as OperationId](call as never);
  if (!Array.isArray(response)) return response;
  // Payments of the same month stay in the order of their submission.
  const { key } = lists[id as ListOperationId];
  return response.toSorted((one: Row, other: Row) => compareKeys(key(one), key(other)));
}
