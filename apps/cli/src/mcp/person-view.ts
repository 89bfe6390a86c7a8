import type { Person } from '@hr/client';
import { Person as PersonModel } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import { z } from 'zod';
import { shown, withoutEmpty } from './shown.ts';

/**
 * Where each field of a person is shown: in lists, only in the details, only with `--reveal`, or never. Masked is what
 * identifies a person beyond the work of an assistant, or opens a door. A new field needs a decision to compile.
 */
const visibility = {
  id: 'list',
  academicTitle: 'list',
  firstName: 'list',
  middleName: 'list',
  lastName: 'list',
  birthName: 'masked',
  prefixToLastName: 'list',
  titleOfNobility: 'list',
  suffixToLastName: 'list',
  gender: 'masked',
  dateOfBirth: 'masked',
  citizenship: 'masked',
  address: 'masked',
  bankDetails: 'masked',
  businessEmail: 'list',
  usualPlaceOfWork: 'list',
  status: 'list',
  groupEntryDate: 'list',
  groupExitDate: 'list',
  exitReasonId: 'masked',
  exitNoticeDate: 'masked',
  // It tells the age.
  expectedStartOfPension: 'masked',
  employeeNumber: 'list',
  jobTitle: 'list',
  legalEntity: 'list',
  groups: 'list',
  managerId: 'list',
  // It identifies the person at a time-recording terminal.
  keyNumber: 'masked',
  employments: 'details',
  customFields: 'details',
  payrollContractIds: 'never',
} as const satisfies Record<keyof Person, 'list' | 'details' | 'masked' | 'never'>;

type Visibility = (typeof visibility)[keyof typeof visibility];

function fieldsAt(...places: readonly Visibility[]): string[] {
  return Object.entries(visibility).flatMap(([field, place]) => (places.includes(place) ? [field] : []));
}

function viewOf(...places: readonly Visibility[]): (person: Person) => object {
  const fields = fieldsAt(...places).map((field) => [field, PersonModel.shape[field as keyof Person]] as const);
  return shown(z.strictObject(Object.fromEntries(fields)));
}

const maskedFields = fieldsAt('masked');
const listView = viewOf('list');
const detailsView = viewOf('list', 'details');
const revealedView = viewOf('list', 'details', 'masked');

/** The fields of a person for a list. */
export function personInList(person: Person): object {
  const contractIds = (person.employments ?? []).map(({ payrollContractId }) => payrollContractId);
  return { ...listView(person), contractIds };
}

/** The details of a person, and the names of the fields with a value that are not shown. */
export function personDetails(given: Person, reveal: boolean) {
  const filled = withoutEmpty(given) as Person;
  const { customFields, ...person } = (reveal ? revealedView : detailsView)(given) as Person;
  return {
    customFields: customFields ?? [],
    person,
    masked: reveal ? [] : maskedFields.filter((field) => field in filled),
  };
}

/** The person in a list of something else. */
export function personInRow(person: Person) {
  return { personId: person.id, name: personName(person), groups: (person.groups ?? []).map(({ id }) => id) };
}
