import { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import { fixtures } from '../fixtures/fixtures.ts';
import { complete } from '../fixtures/invalid.ts';

const { person, employment, salaryHistoryEntry, variablePayment, timeBookingDay, absence } = fixtures();

// A state names what a test relies on. All else is there as well, so that any field of an answer can be asked for.

const {
  middleName: _middleName,
  employments: _employments,
  payrollContractIds: _payrollContractIds,
  ...wholePerson
} = complete(Person, person.with('everyNamePart', 'street', 'customFields').build());
const wholeEmployment = complete(Employment, employment.build());
const wholeSalary = complete(SalaryHistoryEntry, salaryHistoryEntry.build());
const wholePayment = complete(VariablePayment, variablePayment.build());
const wholeDay = complete(TimeBookingDay, timeBookingDay.build());
const wholeAbsence = complete(Absence, absence.build());

export { wholeAbsence, wholeDay, wholeEmployment, wholePayment, wholePerson, wholeSalary };

/** The fields of a whole record, those that are given replaced; `null` leaves a field out. */
export function filled<Model extends object>(
  record: Model,
  given: { readonly [Field in keyof Model]?: Model[Field] | null | undefined },
): Model {
  const fields = Object.entries({ ...record, ...given }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(fields) as Model;
}
