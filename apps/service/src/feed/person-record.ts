import { Person, type Address } from '@hr/schemas';
import type { z } from 'zod';
import { splitHouseNumber } from './house-number.ts';

const LONGEST_FIRST_NAME = 80;

/** What the master system says of a person: the fields it owns. Which contracts are mapped, records of their own say. */
export const PersonRecord = Person.omit({
  bankDetails: true,
  employments: true,
  keyNumber: true,
  payrollContractIds: true,
}).refine(
  ({ firstName, middleName }) =>
    !middleName || Array.from(foldedFirstName(firstName, middleName)).length <= LONGEST_FIRST_NAME,
  { path: ['middleName'], message: `must have, together with firstName, at most ${LONGEST_FIRST_NAME} characters` },
);
export type PersonRecord = z.output<typeof PersonRecord>;

/** The person as it is kept: the middle name is part of `firstName`, and the house number is none of `street`. */
export function masterDocument(person: PersonRecord): object {
  // Destructured in the order of the model, so that what is folded here reads as if it had come so.
  const { id, academicTitle, firstName, middleName, address, ...rest } = person;
  return {
    id,
    academicTitle,
    firstName: middleName ? foldedFirstName(firstName, middleName) : firstName,
    ...rest,
    address: address && withHouseNumber(address),
  };
}

function foldedFirstName(firstName: string | undefined, middleName: string): string {
  return firstName ? `${firstName} ${middleName}` : middleName;
}

function withHouseNumber({ street, houseNumber, ...rest }: Address): object {
  const split = houseNumber === undefined && street !== undefined ? splitHouseNumber(street) : undefined;
  return { ...(split ?? { street, houseNumber }), ...rest };
}
