import type { Person } from '@hr/client';

type Names = Pick<
  Person,
  'academicTitle' | 'firstName' | 'prefixToLastName' | 'titleOfNobility' | 'lastName' | 'suffixToLastName'
>;

/** The full name as people write it, such as `Dr. Jana von Roth`. Its id stands for a person without a name. */
export function personName(person: Names & { readonly id: string }): string {
  const { academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName } = person;
  const parts = [academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName];
  return plain(parts) || person.id;
}

/** The name as a list that is sorted by last names has it, in its two parts: `Roth` and `Dr. Jana von`. */
export function sortedName(person: Names & { readonly id: string }): readonly [last: string, first: string] {
  const { academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName } = person;
  const last = plain([lastName, suffixToLastName]);
  const first = plain([academicTitle, firstName, titleOfNobility, prefixToLastName]);
  return [last || first || person.id, last ? first : ''];
}

/** Embeddings, overrides and isolates, which would turn what stands beside a name. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g;

function plain(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ').replaceAll(DIRECTIONS, '');
}
