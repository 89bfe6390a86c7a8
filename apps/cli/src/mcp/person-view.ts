import type { Person } from '@hr/client';
import { Person as PersonModel } from '@hr/schemas';
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

function model(...places: readonly Visibility[]): z.ZodObject {
  const fields = fieldsAt(...places).map((field) => [field, PersonModel.shape[field as keyof Person]] as const);
  return shown(z.strictObject(Object.fromEntries(fields))) as z.ZodObject;
}

const maskedFields = fieldsAt('masked');
const detailsModel = model('list', 'details');
const revealedModel = model('list', 'details', 'masked');
const contractIds = z.array(z.string()).describe('Payroll contract ids.');

/** A person in a list. */
export const PersonInList = model('list').extend({ contractIds });
/** A person with all details. */
export const PersonDetails = revealedModel;

/** The fields of a person for a list. Unknown fields are left out. */
export function personInList(person: Person): z.output<typeof PersonInList> {
  const ids = (person.employments ?? []).map(({ payrollContractId }) => payrollContractId);
  return PersonInList.parse({ ...(withoutEmpty(person) as object), contractIds: ids });
}

/** The details of a person, and the names of the fields with a value that are not shown. */
export function personDetails(person: Person, reveal: boolean): { person: Record<string, unknown>; masked: string[] } {
  const filled = withoutEmpty(person) as Record<string, unknown>;
  return {
    person: (reveal ? revealedModel : detailsModel).parse(filled),
    masked: reveal ? [] : maskedFields.filter((field) => filled[field] !== undefined),
  };
}

/** The person in a list of something else. */
export const PersonName = z.object({
  personId: z.string(),
  name: z.string(),
  groups: z.array(z.string()).describe('Ids of groups.'),
});

export function personName(person: Person): z.output<typeof PersonName> {
  return { personId: person.id, name: fullName(person), groups: (person.groups ?? []).map(({ id }) => id) };
}

function fullName(person: Person): string {
  const { academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName } = person;
  const parts = [academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName];
  return parts.filter(Boolean).join(' ');
}
