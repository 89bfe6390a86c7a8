import type { Person } from '@hr/client';
import { printable } from './printable.ts';

type Names = Pick<
  Person,
  'academicTitle' | 'firstName' | 'prefixToLastName' | 'titleOfNobility' | 'lastName' | 'suffixToLastName'
>;

/** The full name as people write it, such as `Dr. Jana von Roth`. Its id stands for a person without a name. */
export function personName(person: Names & { readonly id: string }): string {
  const { academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName } = person;
  const parts = [academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName];
  return joined(parts) || person.id;
}

/** The name as a list that is sorted by last names has it, in its two parts: `Roth` and `Dr. Jana von`. */
export function sortedName(person: Names & { readonly id: string }): readonly [last: string, first: string] {
  const { academicTitle, firstName, titleOfNobility, prefixToLastName, lastName, suffixToLastName } = person;
  const last = joined([lastName, suffixToLastName]);
  const first = joined([academicTitle, firstName, titleOfNobility, prefixToLastName]);
  return [last || first || person.id, last ? first : ''];
}

function joined(parts: readonly (string | null | undefined)[]): string {
  return printable(parts.filter(Boolean).join(' '));
}
