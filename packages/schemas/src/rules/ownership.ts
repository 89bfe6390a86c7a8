import { personFields } from '../generated/checks.ts';
import type { Person } from '../generated/models.ts';

/** The systems whose data an HR cloud merges (section 1). */
export const systems = ['master', 'payroll', 'time'] as const;
/** One of these systems. */
export type System = (typeof systems)[number];

const ownedElsewhere = new Map<keyof Person, System>([
  ['bankDetails', 'payroll'],
  ['employments', 'payroll'],
  ['keyNumber', 'time'],
]);

/** The system that owns a field of a person. `id` belongs to all systems, and counts as a field of master. */
export function ownerOf(field: string): System {
  return ownedElsewhere.get(field as keyof Person) ?? 'master';
}

/** The fields of a person that a system owns, without `id`, in the order of the specification. */
export function fieldsOf(system: System): readonly (keyof Person)[] {
  return personFields.filter((field) => field !== 'id' && ownerOf(field) === system);
}
