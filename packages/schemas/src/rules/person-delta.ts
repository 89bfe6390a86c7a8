import type { Person } from '../person.ts';
import type { Received } from '../received.ts';
import { fieldsOf } from './ownership.ts';
import type { System } from './ownership.ts';

/** An element of a list of changes: `id` and every field of the systems that changed, `null` where it has no value (section 4.2). */
export type PersonDelta = Pick<Person, 'id'> & { [Field in Exclude<keyof Person, 'id'>]?: Person[Field] | null };

/**
 * What a list of changes tells of a person of whom these systems changed.
 *
 * @example
 * personDelta({ id: '1', keyNumber: '77' }, ['payroll']); // { id: '1', bankDetails: null, employments: null }
 */
export function personDelta(person: Person, changed: readonly System[]): PersonDelta {
  const fields = changed.flatMap((system) => fieldsOf(system).map((field) => [field, person[field] ?? null]));
  return { id: person.id, ...Object.fromEntries(fields) };
}

/**
 * A copy of a person with a delta merged in: fields that the delta has replace whole fields, `null` clears, absent ones
 * stay. An empty `middleName` never clears: it is always empty in answers.
 */
export function applyDelta(person: Received<Person>, delta: Received<Person>): Received<Person> {
  const merged: Record<string, unknown> = { ...person };
  for (const [field, value] of Object.entries(delta)) {
    if (field === 'middleName' && value === '') continue;
    if (value === null) delete merged[field];
    else if (value !== undefined) merged[field] = value;
  }
  return merged as Received<Person>;
}
