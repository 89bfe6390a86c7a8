import { ownerOf, type System } from '@hr/schemas/rules';
import type { Config } from './config.ts';
import type { AuditEvent } from './operator-client.ts';
import type { PersonChange } from './person-changes.ts';
import type { Records } from './records.ts';
import { contractPersons } from './contract-persons.ts';
import type { View } from './view.ts';

// The audit of the service has no values. So they come from what the syncs of this console found changed.

/** Who did something, and by which way. */
export interface Author {
  /**
   * The person who used this console, the id of a client or `command line`. Undefined if this console did it by itself, or
   * does not know for whom.
   */
  readonly name: string | undefined;
  readonly way: 'console' | 'api' | 'import' | 'command-line';
  /** Of an import: those that own what it changed. */
  readonly systems: readonly System[];
}

/** Returns a function that knows who caused an event. */
export function authorsOf(records: Records, { client, operator }: Config): (event: AuditEvent) => Author {
  return ({ actor, actingPerson, operation, fields = [] }) => {
    if (operation === 'operatorImportFeed') {
      return { name: actor, way: 'import', systems: [...new Set(fields.map(ownerOf))] };
    }
    if (actor === client.clientId || actor === operator.clientId) {
      return {
        name: actingPerson === undefined ? undefined : records.nameOf(actingPerson),
        way: 'console',
        systems: [],
      };
    }
    return { name: actor, way: actor === 'command line' ? 'command-line' : 'api', systems: [] };
  };
}

/** Returns the person of an event; undefined if it has none, or the local copy does not have its contract. */
export function personOf(view: View, { personId, payrollContractId = '' }: AuditEvent): string | undefined {
  return personId ?? contractPersons(view).get(payrollContractId)?.id;
}

/** Returns a function that tells whether somebody may know of an event. */
export function seenEvents(view: View): (event: AuditEvent) => boolean {
  return (event) => {
    const words = event.operation.includes('VariablePayment') ? (['pay'] as const) : [];
    const person = personOf(view, event);
    return person === undefined ? view.mayForAll(...words) : view.may(person, ...words);
  };
}

/** A value that a change replaced. */
export interface ReplacedValue {
  /** Name of the field and names within it, such as `address` and `city`. */
  readonly path: readonly string[];
  /** Undefined if there was none. */
  readonly before: Scalar | undefined;
  readonly now: Scalar | undefined;
  /** Whether it is of several changes together, so that none of them alone need have made it. */
  readonly isShared: boolean;
}

type Scalar = string | number | boolean;

/** An event is as old as its transaction at most, but a transaction may take so long until it is seen. */
const MAX_COMMIT_MS = 60_000;
/** The clocks of the processes of the service differ by less. */
const MAX_SKEW_MS = 100;

/**
 * Returns the values that each change of a person replaced, by the ids of the events. It only says what is certain: a value
 * belongs to an event if no other one can have changed the field between two syncs.
 *
 * @param changes - Of the person, the oldest first.
 * @param events - Of the person, the oldest first: all since `since`, in milliseconds.
 */
export function replacedValues(
  changes: readonly PersonChange[],
  events: readonly AuditEvent[],
  since: number,
): ReadonlyMap<string, readonly ReplacedValue[]> {
  const values = new Map<string, ReplacedValue[]>();
  for (const field of new Set(changes.flatMap(({ before }) => Object.keys(before)))) {
    const ofField = events
      .filter(({ access, fields }) => access === 'change' && fields?.includes(field))
      .map(({ id, at }) => ({ id, at: Date.parse(at) }));
    const found = changes.filter(({ before, after }) => field in before && after - MAX_COMMIT_MS >= since);
    for (const [change, candidates] of candidatesOf(found, ofField)) {
      const replaced = replacedWithin(field, change);
      for (const { id } of candidates) {
        const isShared = candidates.length > 1;
        values.set(id, [...(values.get(id) ?? []), ...replaced.map((value) => ({ ...value, isShared }))]);
      }
    }
  }
  return values;
}

interface DatedEvent {
  readonly id: string;
  readonly at: number;
}

/**
 * Returns the events that may be those of each change of a field. The service writes one after the other, so the order of
 * the events is that of the changes, and each change has an event of its own.
 */
function candidatesOf(
  changes: readonly PersonChange[],
  events: readonly DatedEvent[],
): Map<PersonChange, readonly DatedEvent[]> {
  const within = ({ after, until }: PersonChange): readonly DatedEvent[] =>
    events.filter(({ at }) => at > after - MAX_COMMIT_MS && at <= until + MAX_SKEW_MS);
  const first = new Map<PersonChange, DatedEvent>();
  let before = -1;
  for (const change of changes) {
    const event = within(change).find((each) => events.indexOf(each) > before);
    if (event === undefined) continue;
    first.set(change, event);
    before = events.indexOf(event);
  }
  const candidates = new Map<PersonChange, readonly DatedEvent[]>();
  let behind = events.length;
  for (const change of changes.toReversed()) {
    const last = within(change).findLast((each) => events.indexOf(each) < behind);
    if (last === undefined) continue;
    behind = events.indexOf(last);
    const from = first.get(change)?.at ?? Infinity;
    candidates.set(
      change,
      within(change).filter(({ at }) => at >= from - MAX_SKEW_MS && at <= last.at + MAX_SKEW_MS),
    );
  }
  return candidates;
}

/** The values within a field that differ. */
function replacedWithin(field: string, { before, now }: PersonChange): Omit<ReplacedValue, 'isShared'>[] {
  const [old, current] = [before, now].map(
    (values) => new Map(leavesOf(values[field], [field]).map(([path, value]) => [JSON.stringify(path), value])),
  ) as [Map<string, Scalar>, Map<string, Scalar>];
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((key) => old.get(key) !== current.get(key))
    .map((key) => ({ path: JSON.parse(key) as string[], before: old.get(key), now: current.get(key) }));
}

/** The plain values within a value, with the names that lead to them. What has an id is shown as such. */
function leavesOf(value: unknown, path: readonly string[]): (readonly [path: readonly string[], value: Scalar])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path, value as Scalar]];
  if ('id' in value) return leavesOf(value.id, path);
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, part]) => (name === 'type' ? [] : leavesOf(part, [...path, name])));
  }
  const elements = (value as unknown[]).map((element) => leavesOf(element, []));
  if (elements.every(([first]) => first?.[0].length === 0)) {
    return [[path, elements.map(([first]) => first?.[1]).join(', ')]];
  }
  // Custom fields begin with their names, and employments with their contracts.
  return elements.flatMap(([key, ...rest]) =>
    rest.map(([names, part]) => [[...path, String(key?.[1]), ...names], part] as const),
  );
}
