import type { Employment, Person } from '@hr/schemas';
import { fieldsOf, monthOf, systems } from '@hr/schemas/rules';
import type { Member } from '../fixtures/company.ts';
import { compareCodePoints, sameJson } from './compare.ts';
import { writePayment } from './payments.ts';
import type { Store, StoredPerson } from './store.ts';

/** A person as in a complete response (section 2.1): with all arrays, and only contracts with a payroll record. */
export function wholePerson({ contracts }: Store, { record, contractIds }: StoredPerson): Person {
  const payrollContractIds = [...contractIds].toSorted(compareCodePoints);
  const employments = payrollContractIds.flatMap((id) => contracts.get(id)?.employment ?? []);
  const { firstName, middleName, groups = [], customFields = [] } = record;
  return {
    ...record,
    ...(middleName && { firstName: firstName ? `${firstName} ${middleName}` : middleName }),
    middleName: '',
    groups,
    customFields,
    // Those without a start are last, and those of the same day stay sorted by id.
    employments: employments.toSorted((one, other) => compareCodePoints(one.start ?? '~', other.start ?? '~')),
    payrollContractIds,
  };
}

/** Edits a person. A system counts as changed only if one of its fields has a new value. */
export function changePerson(store: Store, person: StoredPerson, edit: () => void): void {
  const before = wholePerson(store, person);
  edit();
  const after = wholePerson(store, person);
  for (const system of systems) {
    const isSame = fieldsOf(system).every((field) => sameJson(before[field], after[field]));
    if (!isSame) person.changed[system] = store.change();
  }
}

/** A person with optional related records. */
type AddedMember = Pick<Member, 'person'> & {
  readonly [Part in Exclude<keyof Member, 'employments'>]?: Member[Part] | undefined;
} & { readonly employments?: readonly (Employment & { masterCostCenter?: string })[] | undefined };

/** Adds a person with related records. It replaces existing records with the same key. */
export function addMember(store: Store, member: AddedMember): StoredPerson {
  const { person, employments = [], payrollContractIds = [], salaries = [] } = member;
  const { timeDays = [], absences = [], payments = [] } = member;
  const stored = addPerson(store, person);
  for (const contractId of payrollContractIds) mapContract(store, stored, contractId);
  for (const { masterCostCenter: _masterCostCenter, ...employment } of employments) {
    const contract = mapContract(store, stored, employment.payrollContractId);
    if (!contract.employment && contract.salaries.size > 0) store.salariesChanged = store.change();
    changePerson(store, stored, () => Object.assign(contract, { employment }));
  }
  for (const entry of salaries) {
    store.contracts.get(entry.payrollContractId)?.salaries.set(monthOf(entry), entry);
    store.salariesChanged = store.change();
  }
  for (const day of timeDays) stored.timeDays.set(day.date, { content: day, changed: store.change() });
  for (const absence of absences) stored.absences.set(absence.id, { content: absence, changed: store.change() });
  for (const payment of payments) writePayment(store, payment);
  return stored;
}

function addPerson(store: Store, record: Person): StoredPerson {
  const { persons, deleted } = store;
  const known = persons.get(record.id);
  if (known) {
    changePerson(store, known, () => Object.assign(known, { record }));
    return known;
  }
  const shown = store.change();
  const changed = { master: shown, payroll: shown, time: shown };
  // Everything else of a deleted person is still there.
  const former = deleted.get(record.id)?.person;
  const person = former ?? { contractIds: new Set<string>(), timeDays: new Map(), absences: new Map() };
  const added = Object.assign(person, { record, changed, shown });
  persons.set(record.id, added);
  deleted.delete(record.id);
  return added;
}

/** Maps a contract to a person, and removes it from any other person. */
function mapContract(store: Store, person: StoredPerson, contractId: string) {
  const { persons, deleted, contracts } = store;
  const personId = person.record.id;
  const contract = contracts.get(contractId) ?? { personId, employment: undefined, salaries: new Map() };
  const previous = persons.get(contract.personId) ?? deleted.get(contract.personId)?.person;
  if (previous && previous !== person) changePerson(store, previous, () => previous.contractIds.delete(contractId));
  contract.personId = personId;
  contracts.set(contractId, contract);
  changePerson(store, person, () => person.contractIds.add(contractId));
  return contract;
}

/** Deletes a person. All that belongs to it stays, and shows again when the person returns. */
export function deletePerson(store: Store, personId: string): void {
  const person = store.persons.get(personId);
  if (!person) return;
  store.persons.delete(personId);
  store.deleted.set(personId, { person, deleted: store.change(), isErased: false });
}

/** Permanently erases a person with all contracts and payments. Lists of changes report it. */
export function erasePerson(store: Store, personId: string): void {
  const { persons, deleted, contracts, payments, keys } = store;
  const person = persons.get(personId) ?? deleted.get(personId)?.person;
  if (!person) return;
  const { contractIds, timeDays, absences } = person;
  for (const { id, payrollContractId } of payments.values())
    if (contractIds.has(payrollContractId)) payments.delete(id);
  for (const [key, { paymentId }] of keys) if (!payments.has(paymentId)) keys.delete(key);
  const change = store.change();
  if ([...contractIds].some((id) => contracts.get(id)?.salaries.size)) store.salariesChanged = change;
  for (const contractId of contractIds) contracts.delete(contractId);
  contractIds.clear();
  person.record = { id: personId };
  for (const records of [timeDays, absences]) {
    for (const [key, { content }] of records) if (content) records.set(key, { content: undefined, changed: change });
  }
  persons.delete(personId);
  deleted.set(personId, { person, deleted: change, isErased: true });
}
