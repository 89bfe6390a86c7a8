import type { Mirror } from '@hr/client/mirror';
import { z } from 'zod';
import { memberOf, teamChoices, teamParts, type TeamPart } from '../model/team.ts';

const value = z.string().max(400).optional();

/** The parameters of a team. */
export const teamQuery = Object.fromEntries(teamParts.map((part) => [part, value])) as Record<TeamPart, typeof value>;

const { compare } = new Intl.Collator('de');

/** A local copy, or the view of somebody on it, which shares what is `people`. */
export type PeopleSource = Pick<Mirror, 'persons' | 'status'> & { readonly people?: object };

/** Computes something of all persons of a local copy, once for each of its syncs. It must not need a right to data. */
export function onceASync<Result, Source extends PeopleSource = PeopleSource>(
  compute: (source: Source) => Result,
): (source: Source) => Result {
  const known = new WeakMap<object, { readonly syncedAt: string | undefined; readonly result: Result }>();
  return (source) => {
    const { people = source } = source;
    const { syncedAt } = source.status().find(({ collection }) => collection === 'persons') ?? {};
    const before = known.get(people);
    if (before !== undefined && before.syncedAt === syncedAt) return before.result;
    const result = compute(source);
    known.set(people, { syncedAt, result });
    return result;
  };
}

/** Returns all persons of the local copy, in the order of their last names. */
export const membersOf = onceASync((source) =>
  Array.from(source.persons(), (person) => ({
    ...memberOf(person),
    employeeNumber: person.employeeNumber ?? undefined,
  })).toSorted((one, other) => compare(one.name, other.name)),
);

/** Returns the values by which teams of the local copy can be chosen. */
export const choicesOf = onceASync((source) => teamChoices(membersOf(source)));
