import type { AbsenceDelta, Person, PersonDelta, TimeBookingDayDelta, PersonPatch } from '../generated/models.ts';
import type { Lenient } from '../operation-types.ts';
import { fieldsOf, systems, type System } from './ownership.ts';

/**
 * Returns the element of a list of changes for a person whose data in these systems changed (section 4.2).
 *
 * @example
 * personDelta({ id: '1', keyNumber: '77' }, ['payroll']); // { id: '1', bankDetails: null, employments: null }
 */
export function personDelta(person: Person, changed: readonly System[]): PersonDelta {
  const fields = changed.flatMap((system) => fieldsOf(system).map((field) => [field, person[field] ?? null]));
  return { id: person.id, ...Object.fromEntries(fields) };
}

/**
 * Returns the element of a list of changes for an erased person. A reader that knows `erased` deletes its copy. Any
 * other reader clears every field.
 */
export function erasedPerson(id: string): PersonDelta {
  return { ...personDelta({ id }, systems), erased: true };
}

/** The element of a list of changes for a person whom the master system has deleted. */
export function deletedPerson(id: string): PersonDelta {
  return { ...personDelta({ id }, systems), deleted: true };
}

/** The day of a list of changes for a day of time bookings that was deleted. */
export function deletedTimeBookingDay(date: string): TimeBookingDayDelta {
  return { date, targetTime: null, bookedTime: null, chargeableTime: null, bookings: null, deleted: true };
}

/** The element of a list of changes for an absence that was deleted. */
export function deletedAbsence(id: string, personId: string): AbsenceDelta {
  return { id, personId, startDate: null, endDate: null, amount: null, key: null, deleted: true };
}

/**
 * Returns a copy of a person with a delta applied. Fields of the delta replace the fields of the person, `null` clears
 * a field, and other fields stay. A deleted or erased person keeps only `id` and that mark. An empty `middleName` clears nothing,
 * because it is always empty in responses.
 *
 * @example
 * applyDelta({ id: '1', keyNumber: '77' }, { id: '1', keyNumber: null }); // { id: '1' }
 */
export function applyDelta(person: Lenient<PersonDelta>, delta: Lenient<PersonDelta>): Lenient<PersonDelta> {
  const merged = new Map(Object.entries(person));
  // A later delta without the mark means that the person is back.
  merged.delete('deleted');
  merged.delete('erased');
  for (const [field, value] of Object.entries(delta)) {
    if (field === 'middleName' && value === '') continue;
    if (value === null) merged.delete(field);
    else if (value !== undefined) merged.set(field, value);
  }
  return Object.fromEntries(merged) as Lenient<PersonDelta>;
}

/**
 * Returns a copy of a person with a patch applied (section 4.1). Sent properties replace the stored ones completely.
 * The first address becomes the address of the person; an empty list clears it.
 */
export function applyPatch(person: Person, patch: PersonPatch): Person {
  const { address, ...rest } = person;
  const first = patch.addresses ? patch.addresses[0] : address;
  return {
    ...rest,
    ...(first && { address: first }),
    ...(patch.bankDetails && { bankDetails: patch.bankDetails }),
  };
}
