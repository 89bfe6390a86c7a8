import type { Person } from '@hr/schemas';
import { monthOf } from '@hr/schemas/rules';
import type { StagedMember } from '../states/stage.ts';
import { changePerson } from './change-person.ts';
import type { Store, StoredPerson } from './store.ts';
import { today } from './today.ts';
import { contractOf, mapContract, writeEmployment } from './write-contract.ts';
import { writePayment } from './write-payment.ts';

/** Adds a person with all that belongs to it. What is there of the same person, day or month is replaced. */
export function addMember(store: Store, member: StagedMember): void {
  const { person, employments, payrollContractIds, salaries, timeDays, absences, payments } = member;
  const changedOn = today(store);
  const stored = addPerson(store, person);
  for (const contractId of payrollContractIds) mapContract(store, person.id, contractId);
  for (const employment of employments) writeEmployment(store, withoutCostCenter(employment));
  for (const entry of salaries) contractOf(store, entry.payrollContractId).salaries.set(monthOf(entry), entry);
  for (const day of timeDays) stored.timeDays.set(day.date, { content: day, changedOn });
  for (const absence of absences) stored.absences.set(absence.id, { content: absence, changedOn });
  for (const { payrollContractId, billingPeriod, state, ...payment } of payments) {
    const contract = contractOf(store, payrollContractId);
    writePayment(store, contract, { payrollContractId, billingPeriod, payment }, state);
  }
}

function addPerson(store: Store, record: Person): StoredPerson {
  const { persons, erased } = store;
  const known = persons.get(record.id);
  if (known) {
    changePerson(store, known, () => {
      known.record = record;
    });
    return known;
  }
  const day = today(store);
  const person: StoredPerson = {
    record,
    contractIds: new Set(),
    timeDays: new Map(),
    absences: new Map(),
    changedOn: { master: day, payroll: day, time: day },
  };
  persons.set(record.id, person);
  erased.delete(record.id);
  return person;
}

/** Operators alone see where payments are allocated to (section 2.7). */
function withoutCostCenter(employment: StagedMember['employments'][number] & { masterCostCenter?: string }) {
  const { masterCostCenter: _masterCostCenter, ...shown } = employment;
  return shown;
}
