import type { AbsenceDelta, Body, OperationId, Operations, PathParameters, Query } from '@hr/schemas';
import { problems } from '@hr/schemas/provider';
import type { Inputs } from '@hr/schemas/provider';
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
import { compareCodePoints } from './compare.ts';
import { shownPayment, submitPayment } from './payments.ts';
import { changePerson, wholePerson } from './persons.ts';
import type { Store } from './store.ts';

/** A request of an operation whose inputs have been checked. */
interface Call<Path = unknown, Sent = unknown, Content = unknown> extends Inputs<Path, Sent, Content> {
  readonly store: Store;
  readonly clientId: string;
}

type Element<Id extends OperationId> =
  | z.output<Operations[Id]['response']>
  | (Operations[Id] extends { delta: infer Delta extends z.ZodType } ? z.output<Delta> : never);

type Handler<Id extends OperationId> = (
  call: Call<PathParameters<Id>, Query<Id>, Body<Id>>,
) => (Operations[Id]['list'] extends true ? readonly Element<Id>[] : Element<Id>) | undefined;

const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listPersons({ store, query: { changedSince } }) {
    const persons = [...store.persons.values()];
    if (changedSince === undefined) return persons.map((person) => wholePerson(store, person)).toSorted(by('id'));
    const changed = persons.flatMap((person) => {
      const those = systems.filter((system) => person.changedOn[system] >= changedSince);
      return those.length > 0 ? [personDelta(wholePerson(store, person), those)] : [];
    });
    const deleted = [...store.deleted].flatMap(([id, { changedOn }]) =>
      changedOn >= changedSince ? [deletedPerson(id)] : [],
    );
    const erased = [...store.erased].flatMap(([id, day]) => (day >= changedSince ? [erasedPerson(id)] : []));
    return [...changed, ...deleted, ...erased].toSorted(by('id'));
  },

  updatePerson({ store, path, body }) {
    const person = store.persons.get(path.id);
    if (!person) return undefined;
    changePerson(store, person, () => {
      person.record = applyPatch(person.record, body);
    });
    return wholePerson(store, person);
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
    // Payments of the same month stay in the order of their submission.
    return approved.map(shownPayment).toSorted(by('billingPeriod'));
  },

  listTimeBookings({ store, query: { from = '', to = '9999-12-31', changedSince } }) {
    const accounts = [...store.persons].map(([personId, { timeDays }]) => {
      const days = [...timeDays].flatMap(([date, { content, changedOn }]) => {
        if (date < from || date > to) return [];
        if (changedSince === undefined) return content ?? [];
        return changedOn >= changedSince ? (content ?? deletedTimeBookingDay(date)) : [];
      });
      return { personId, days: days.toSorted(by('date')) };
    });
    return accounts.filter(({ days }) => days.length > 0).toSorted(by('personId'));
  },

  listSalaryHistory({ store, path, query }) {
    const contract = store.contracts.get(path.contractId);
    if (!contract?.employment) return undefined;
    const months = [...contract.salaries].filter(([month]) => withinMonths(month, query));
    return months.toSorted(([one], [other]) => compareCodePoints(one, other)).map(([, entry]) => entry);
  },

  listAbsences({ store, path: { personId }, query: { changedSince, ...window } }) {
    const person = store.persons.get(personId);
    const absences = [...(person?.absences ?? [])].flatMap(([id, { content, changedOn }]): AbsenceDelta[] => {
      if (changedOn < (changedSince ?? '')) return [];
      if (!content) return changedSince === undefined ? [] : [deletedAbsence(id, personId)];
      return matchesAbsenceFilter(content, window) ? [content] : [];
    });
    const order = absences.map((absence) => ({ absence, id: absence.id, start: absence.startDate ?? '' }));
    return (
      person &&
      order
        .toSorted(by('id'))
        .toSorted(by('start'))
        .map(({ absence }) => absence)
    );
  },
};

/** Handles an operation; `undefined` if the path has an unknown id. */
export function handleOperation(id: string, call: Call): object | undefined {
  // Sound: the schemas and the handler belong to the same operation.
  return handlers[id as OperationId](call as never);
}

function by<Name extends string>(name: Name) {
  return (one: Readonly<Record<Name, string>>, other: Readonly<Record<Name, string>>): number =>
    compareCodePoints(one[name], other[name]);
}
