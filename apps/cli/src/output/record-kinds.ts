import { Absence, Person, SalaryHistoryEntry, TimeBookingDay, TimeBookingPerson, VariablePayment } from '@hr/schemas';
import type * as client from '@hr/client';
import { columnsOf } from './columns-of.ts';
import type { RecordKind } from './record-kind.ts';

/** Persons (section 2.1). */
export const personKind: RecordKind<client.Person> = {
  name: 'persons',
  columns: columnsOf(Person),
  table: ['id', 'lastName', 'firstName', 'jobTitle', 'status', 'groupEntryDate'],
  identity: ['id', 'employeeNumber', 'lastName', 'firstName'],
};

/** Time bookings (section 2.8), one row a day. */
export const bookingKind: RecordKind<client.TimeBookingPerson> = {
  name: 'time bookings',
  columns: [...columnsOf(TimeBookingPerson.pick({ personId: true })), ...columnsOf(TimeBookingDay)],
  table: ['personId', 'date', 'targetMinutes', 'bookedMinutes', 'chargeableMinutes'],
  *rows({ personId, days }) {
    for (const day of days) yield { personId, ...day };
  },
  rowName: 'days',
  identity: ['personId', 'date'],
  fields: Object.keys(TimeBookingPerson.shape),
};

/** Salaries by month (section 2.9). */
export const salaryKind: RecordKind<client.SalaryHistoryEntry> = {
  name: 'salaries',
  columns: columnsOf(SalaryHistoryEntry),
  table: ['payrollContractId', 'year', 'month', 'totalSalary', 'baseSalary'],
  identity: ['payrollContractId', 'year', 'month'],
};

/** Absences (section 2.10). */
export const absenceKind: RecordKind<client.Absence> = {
  name: 'absences',
  columns: columnsOf(Absence),
  table: Object.keys(Absence.shape),
};

/** Approved variable payments (section 2.7). */
export const paymentKind: RecordKind<client.VariablePayment> = {
  name: 'variable payments',
  columns: columnsOf(VariablePayment),
  table: Object.keys(VariablePayment.shape),
};
