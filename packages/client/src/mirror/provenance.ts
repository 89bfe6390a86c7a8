import { ownerOf, type System } from '@hr/schemas/rules';
import type { Person } from '../hr-client.ts';
import type { FieldSeen } from './mirror.ts';

/**
 * When lists of changes last had the fields of a person, in milliseconds since the epoch: by system, and by field where a
 * list had only a part of a system. All other fields were last seen by the last full sync.
 */
export interface Provenance {
  readonly systems: { readonly [Name in System]?: number };
  readonly fields: Readonly<Record<string, number>>;
}

/** @param json - As it is stored; null if only a full sync saw the person. */
export function parseProvenance(json: string | null): Provenance {
  return json === null ? { systems: {}, fields: {} } : (JSON.parse(json) as Provenance);
}

/**
 * Returns the provenance of a person after a change.
 *
 * @param received - Names of the fields that the change had.
 */
export function laterProvenance(
  { systems, fields }: Provenance,
  person: Person,
  received: ReadonlySet<string>,
  at: number,
): Provenance {
  const bySystem: { [Name in System]?: number } = { ...systems };
  const byField = new Map(Object.entries(fields));
  const stored = Object.keys(person).filter((field) => field !== 'id');
  for (const system of new Set(Array.from(received, ownerOf))) {
    const owned = stored.filter((field) => ownerOf(field) === system);
    const isComplete = owned.every((field) => received.has(field));
    if (isComplete) bySystem[system] = at;
    for (const field of owned) {
      if (isComplete) byField.delete(field);
      else if (received.has(field)) byField.set(field, at);
    }
  }
  const kept = [...byField].filter(([field]) => Object.hasOwn(person, field));
  return { systems: bySystem, fields: Object.fromEntries(kept) };
}

/**
 * Returns when each field of a person was last seen.
 *
 * @param fullAt - When the last full sync saw all fields.
 */
export function seenFields(person: Person, { systems, fields }: Provenance, fullAt: number): Record<string, FieldSeen> {
  const latest = Math.max(fullAt, ...Object.values(systems), ...Object.values(fields));
  const seen = Object.keys(person).map((field): [string, FieldSeen] => {
    const system = ownerOf(field);
    const own = Object.hasOwn(fields, field) ? fields[field] : undefined;
    // Each element has the id, whatever its systems.
    const at = field === 'id' ? latest : Math.max(fullAt, systems[system] ?? fullAt, own ?? fullAt);
    return [field, { at: new Date(at).toISOString(), system }];
  });
  return Object.fromEntries(seen);
}
