import { isDeepStrictEqual } from 'node:util';
import type { MirrorChange, SyncCounts, SyncOptions } from './mirror.ts';

/** What a sync changes: it counts and reports. */
export class Changes {
  readonly counts: { -readonly [Name in keyof SyncCounts]: number } = {
    added: 0,
    changed: 0,
    unchanged: 0,
    deleted: 0,
    erased: 0,
  };
  readonly #onChange: SyncOptions['onChange'];

  constructor(onChange: SyncOptions['onChange']) {
    this.#onChange = onChange;
  }

  record(kind: MirrorChange['kind'], id: string, fields: () => readonly string[] = () => []): void {
    this.counts[kind]++;
    this.#onChange?.({ kind, id, fields: fields() });
  }

  /** Reports deleted days and absences of persons whom the mirror does not have: no other change tells of them. */
  reportTaken(rows: readonly Record<string, unknown>[]): void {
    for (const { id } of rows) this.#onChange?.({ kind: 'deleted', id: String(id), fields: [] });
  }

  recordUnchanged(): void {
    this.counts.unchanged++;
  }
}

/** Returns a copy without fields that are `null`: they have no value. */
export function withoutEmptyFields<Element extends object>(element: Element): Element {
  // Most elements have none. It only saves time.
  if (!Object.values(element).includes(null)) return element;
  return Object.fromEntries(Object.entries(element).filter(([, value]) => value !== null)) as Element;
}

/** Returns the names of the top-level fields that differ between two documents. */
export function differingFields(one: object, other: object): string[] {
  const [ones, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...ones.keys(), ...others.keys()])].filter(
    (name) => !isDeepStrictEqual(ones.get(name), others.get(name)),
  );
}
