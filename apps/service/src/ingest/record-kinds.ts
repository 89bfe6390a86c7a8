import { Absence, BankDetails, Employment, Identifier, SalaryHistoryEntry, TimeBookingDay } from '@hr/schemas';
import { monthOf } from '@hr/schemas/rules';
import { z } from 'zod';
import { recordKind } from './record-kind.ts';
import { masterDocument, PersonRecord } from './person-record.ts';

const ofPerson = z.strictObject({ personId: Identifier });
const personOfContract = (row: string): string =>
  `(select person_id from mapping where mapping.payroll_contract_id = ${row}.payroll_contract_id)`;

/** What a source says of a person, kept whole under the kind's name. */
const document = { table: 'source_document', personId: (row: string) => `${row}.person_id` } as const;

/** The kinds of records a feed may bring, and where each is kept. Each has its deletion: `deletePerson` and so on. */
export const recordKinds = {
  person: recordKind({
    ...document,
    model: PersonRecord,
    keyFields: ['id'],
    key: ({ id }) => ({ person_id: id, kind: 'person' }),
    values: (person) => ({ document: JSON.stringify(masterDocument(person)) }),
  }),
  mapping: recordKind({
    model: ofPerson.extend({ payrollContractId: Identifier }),
    keyFields: ['payrollContractId'],
    table: 'mapping',
    key: ({ payrollContractId }) => ({ payroll_contract_id: payrollContractId }),
    values: ({ personId }) => ({ person_id: personId }),
    personId: (row) => `${row}.person_id`,
  }),
  employment: recordKind({
    model: Employment.extend({ masterCostCenter: Identifier.optional() }),
    keyFields: ['payrollContractId'],
    table: 'contract',
    key: ({ payrollContractId }) => ({ payroll_contract_id: payrollContractId }),
    values: ({ masterCostCenter = null, ...employment }) => ({
      employment: JSON.stringify(employment),
      start_date: employment.start ?? null,
      master_cost_center: masterCostCenter,
    }),
    personId: personOfContract,
  }),
  bankDetails: recordKind({
    ...document,
    model: ofPerson.extend(BankDetails.shape),
    keyFields: ['personId'],
    key: ({ personId }) => ({ person_id: personId, kind: 'bankDetails' }),
    values: ({ personId: _personId, ...bankDetails }) => ({ document: JSON.stringify(bankDetails) }),
  }),
  salary: recordKind({
    model: SalaryHistoryEntry,
    keyFields: ['payrollContractId', 'year', 'month'],
    table: 'salary_entry',
    key: ({ payrollContractId, ...month }) => ({ payroll_contract_id: payrollContractId, month: monthOf(month) }),
    values: (entry) => ({ entry: JSON.stringify(entry) }),
  }),
  keyNumber: recordKind({
    ...document,
    model: ofPerson.extend({ keyNumber: Identifier }),
    keyFields: ['personId'],
    key: ({ personId }) => ({ person_id: personId, kind: 'keyNumber' }),
    values: ({ keyNumber }) => ({ document: JSON.stringify(keyNumber) }),
  }),
  timeDay: recordKind({
    model: ofPerson.extend(TimeBookingDay.shape),
    keyFields: ['personId', 'date'],
    table: 'time_day',
    emptied: ['day'],
    personId: (row) => `${row}.person_id`,
    key: ({ personId, date }) => ({ person_id: personId, date }),
    values: ({ personId: _personId, ...day }) => ({ day: JSON.stringify(day) }),
  }),
  absence: recordKind({
    model: Absence,
    keyFields: ['id'],
    table: 'absence',
    emptied: ['absence', 'start_date', 'end_date'],
    key: ({ id }) => ({ id }),
    values: (absence) => ({
      person_id: absence.personId,
      start_date: absence.startDate,
      end_date: absence.endDate ?? null,
      absence: JSON.stringify(absence),
    }),
  }),
};
export type RecordKindName = keyof typeof recordKinds;
