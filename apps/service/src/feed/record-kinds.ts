import { Absence, BankDetails, Employment, Identifier, SalaryHistoryEntry, TimeBookingDay } from '@hr/schemas';
import { monthOf } from '@hr/schemas/rules';
import { z } from 'zod';
import { personalData } from '../erasure/personal-data.ts';
import { masterDocument, PersonRecord } from './person-record.ts';

/** Values of columns. */
export type Row = Readonly<Record<string, string | null>>;

/** How the records of a kind are checked, and where they are stored. */
export interface RecordKind<Fields = never, Key extends keyof Fields = never> {
  /** The fields of a record, without its `kind`. */
  readonly model: z.ZodType<Fields>;
  /** The fields of a deletion: those that identify the record. */
  readonly keyModel: z.ZodType<Pick<Fields, Key>>;
  readonly table: string;
  /** The columns of the table's primary key. */
  readonly key: (fields: Pick<Fields, Key>) => Row;
  /** All other columns. JSON text has the members in the order of the model, whatever the order of the feed. */
  readonly values: (fields: Fields) => Row;
  /** The column with the record as JSON text. */
  readonly json?: string;
  /** Whom a row of the table is about: the person of its column, or the one to whom its contract is mapped. */
  readonly subject: 'person_id' | 'payroll_contract_id';
  /** What of the person a change of the table changes, too. Default: nothing. */
  readonly updates?: 'view' | 'time account';
  /** What a change of the table touches beside persons, as a change set says it. */
  readonly touches?: 'timeBookings' | 'absences' | 'salaries';
  /** The columns that a deletion empties, of a table whose rows have their own change set. Other rows are removed. */
  readonly emptied?: readonly [string, ...string[]] | undefined;
}

const ofPerson = z.strictObject({ personId: Identifier });

/** What a source system says about a person, stored whole under the kind's name. */
const document = { table: 'source_document', json: 'document', subject: 'person_id', updates: 'view' } as const;

/** The kinds of records of a feed. Each has its deletion: `deletePerson` and so on. */
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
    subject: 'person_id',
    updates: 'view',
    touches: 'salaries',
  }),
  employment: recordKind({
    model: Employment.extend({ masterCostCenter: Identifier.optional() }),
    keyFields: ['payrollContractId'],
    table: 'contract',
    json: 'employment',
    key: ({ payrollContractId }) => ({ payroll_contract_id: payrollContractId }),
    values: ({ masterCostCenter = null, ...employment }) => ({
      employment: JSON.stringify(employment),
      start_date: employment.start ?? null,
      master_cost_center: masterCostCenter,
    }),
    subject: 'payroll_contract_id',
    updates: 'view',
    touches: 'salaries',
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
    json: 'entry',
    subject: 'payroll_contract_id',
    touches: 'salaries',
    key: (entry) => ({ payroll_contract_id: entry.payrollContractId, month: monthOf(entry) }),
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
    json: 'day',
    emptied: personalData.timeDays.emptied,
    subject: 'person_id',
    updates: 'time account',
    touches: 'timeBookings',
    key: ({ personId, date }) => ({ person_id: personId, date }),
    values: ({ personId: _personId, ...day }) => ({ day: JSON.stringify(day) }),
  }),
  absence: recordKind({
    model: Absence,
    keyFields: ['id'],
    table: 'absence',
    json: 'absence',
    subject: 'person_id',
    emptied: personalData.absences.emptied,
    updates: 'time account',
    touches: 'absences',
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

type Definition<Fields, Key extends keyof Fields> = Omit<RecordKind<Fields, Key>, 'model' | 'keyModel'> & {
  readonly model: z.ZodObject & z.ZodType<Fields>;
  readonly keyFields: readonly (Key & string)[];
};

function recordKind<Fields, Key extends keyof Fields>({
  model,
  keyFields,
  ...storage
}: Definition<Fields, Key>): RecordKind {
  const keyModel = z.strictObject(Object.fromEntries(keyFields.map((field) => [field, model.shape[field]])));
  const kind = {
    ...storage,
    model: z.compile(model, { strict: true }),
    keyModel: z.compile(keyModel, { strict: true }),
  };
  return kind as unknown as RecordKind;
}
