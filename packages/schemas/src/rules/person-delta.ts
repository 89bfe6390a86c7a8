import type { Person } from '../person.ts';
import type { PersonDelta } from '../person-delta.ts';
import type { Lenient } from '../lenient.ts';
import { fieldsOf, systems } from './ownership.ts';
import type { System } from './ownership.ts';

/**
 * What a list of changes tells of a person of whom these systems changed (section 4.2).
 *
 * @example
 * personDelta({ id: '1', keyNumber: '77' }, ['payroll']); // { id: '1', bankDetails: null, employments: null }
 */
export function personDelta(person: Person, changed: readonly System[]): PersonDelta {
  const fields = changed.flatMap((system) => fieldsOf(system).map((field) => [field, person[field] ?? null]));
  return { id: person.id, ...Object.fromEntries(fields) };
}

/**
 * What a list of changes tells of a person whose data was deleted for good: a reader that knows `erased` deletes its
 * own, and any other clears every field.
 */
export function erasedPerson(id: string): PersonDelta {
  return { ...personDelta({ id }, systems), erased: true };
}

/**
 * A copy of a person with a delta merged in: fields that the delta has replace whole fields, `null` clears, absent ones
 * stay. Of an erased person nothing stays but `id` and `erased`. An empty `middleName` never clears: it is always empty in answers.
 *
 * @example
 * applyDelta({ id: '1', keyNumber: '77' }, { id: '1', keyNumber: null }); // { id: '1' }
 */
export function applyDelta(person: Lenient<PersonDelta>, delta: Lenient<PersonDelta>): Lenient<PersonDelta> {
  const merged = new Map(Object.entries(person));
  // Whoever is told of again has come back.
  merged.delete('erased');
  for (const [field, value] of Object.entries(delta)) {
    if (field === 'middleName' && value === '') continue;
    if (value === null) merged.delete(field);
    else if (value !== undefined) merged.set(field, value);
  }
  return Object.fromEntries(merged) as Lenient<PersonDelta>;
}
