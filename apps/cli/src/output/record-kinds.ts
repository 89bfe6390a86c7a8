import { Absence, Person, SalaryHistoryEntry, TimeBookingDay, TimeBookingPerson, VariablePayment } from '@hr/schemas';
import type * as client from '@hr/client';
import { columnsNamed, columnsOf, kindOf } from './columns-of.ts';

/** Persons (section 2.1). */
export const personKind = kindOf<client.Person>('persons', columnsOf(Person), {
  table: ['id', 'lastName', 'firstName', 'jobTitle', 'status', 'groupEntryDate'],
  identity: ['id', 'employeeNumber', 'lastName', 'firstName'],
});

const dayColumns = [...columnsNamed('string', 'personId'), ...columnsOf(TimeBookingDay)];

/** Time bookings (section 2.8), one row a day. */
export const bookingKind = kindOf<client.TimeBookingPerson>('time bookings', dayColumns, {
  table: ['personId', 'date', 'targetMinutes', 'bookedMinutes', 'chargeableMinutes'],
  *rows({ personId, days }) {
    for (const day of days) yield { personId, ...day };
  },
  rowName: 'days',
  identity: ['personId', 'date'],
  fields: Object.keys(TimeBookingPerson.shape),
});

/** Salaries by month (section 2.9). */
export const salaryKind = kindOf<client.SalaryHistoryEntry>('salaries', columnsOf(SalaryHistoryEntry), {
  table: ['payrollContractId', 'year', 'month', 'totalSalary', 'baseSalary'],
  identity: ['payrollContractId', 'year', 'month'],
});

/** Absences (section 2.10). */
export const absenceKind = kindOf<client.Absence>('absences', columnsOf(Absence));

/** Approved variable payments (section 2.7). */
export const paymentKind = kindOf<client.VariablePayment>('variable payments', columnsOf(VariablePayment));
