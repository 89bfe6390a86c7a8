import { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import type { z } from 'zod';
import { absence } from '../fixtures/builders/absence.ts';
import { employment } from '../fixtures/builders/employment.ts';
import { person } from '../fixtures/builders/person.ts';
import { salaryHistoryEntry } from '../fixtures/builders/salary-history-entry.ts';
import { timeBookingDay } from '../fixtures/builders/time-booking.ts';
import { variablePayment } from '../fixtures/builders/variable-payment.ts';
import { complete } from '../fixtures/invalid/complete.ts';

// A state names what a test relies on. All other fields have a value, too, so that a test can require any of them.

const {
  middleName: _middleName,
  employments: _employments,
  payrollContractIds: _payrollContractIds,
  ...wholePerson
} = whole(Person, person.seeded(1).with('everyNamePart', 'street', 'customFields').build());
const wholeEmployment = whole(Employment, employment.seeded(1).build());
const wholeSalary = whole(SalaryHistoryEntry, salaryHistoryEntry.seeded(1).build());
const wholePayment = whole(VariablePayment, variablePayment.seeded(1).build());
const wholeDay = whole(TimeBookingDay, timeBookingDay.seeded(1).build());
const wholeAbsence = whole(Absence, absence.seeded(1).build());

export { wholeAbsence, wholeDay, wholeEmployment, wholePayment, wholePerson, wholeSalary };

/** A whole record with the given fields in place of its own; `null` removes a field. */
export function filled<Model extends object>(
  record: Model,
  given: { readonly [Field in keyof Model]?: Model[Field] | null | undefined },
): Model {
  const fields = Object.entries({ ...record, ...given }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(fields) as Model;
}

function whole<Model>(model: z.ZodType<Model>, value: Model): Model {
  return complete(model, value) as Model;
}
