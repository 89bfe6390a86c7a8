import type { Person } from '@hr/client';
import { sortedName } from '@hr/text/person-name';

/** A person in the directory: only what it shows, as a tuple, so that 10,000 are small. Missing values are `''`. */
export type PersonRow = readonly [
  id: string,
  lastName: string,
  firstName: string,
  employeeNumber: string,
  jobTitle: string,
  placeOfWork: string,
  email: string,
  groups: readonly string[],
  status: string,
  entryDate: string,
  exitDate: string,
  contracts: readonly string[],
  managerId: string,
  legalEntity: string,
];

export function personRow(person: Person): PersonRow {
  const [lastName, firstName] = sortedName(person);
  return [
    person.id,
    lastName,
    firstName,
    person.employeeNumber ?? '',
    person.jobTitle ?? '',
    person.usualPlaceOfWork ?? '',
    person.businessEmail ?? '',
    person.groups?.map(({ id }) => id) ?? [],
    person.status ?? '',
    person.groupEntryDate ?? '',
    person.groupExitDate ?? '',
    person.employments?.map(({ payrollContractId }) => payrollContractId) ?? [],
    person.managerId ?? '',
    person.legalEntity?.id ?? '',
  ];
}

export const byId = ([one]: PersonRow, [other]: PersonRow): number => (one < other ? -1 : 1);
