import type { Mirror } from '@hr/client/mirror';
import { z } from 'zod';
import { memberOf, teamChoices, teamParts, type TeamPart } from '../model/team.ts';

const value = z.string().max(400).optional();

/** The parameters of a team. */
export const teamQuery = Object.fromEntries(teamParts.map((part) => [part, value])) as Record<TeamPart, typeof value>;

const { compare } = new Intl.Collator('de');

/** Computes something of all persons of a local copy, once for each of its syncs. */
export function onceASync<Result>(compute: (mirror: Mirror) => Result): (mirror: Mirror) => Result {
  const known = new WeakMap<Mirror, { readonly syncedAt: string | undefined; readonly result: Result }>();
  return (mirror) => {
    const { syncedAt } = mirror.status().find(({ collection }) => collection === 'persons') ?? {};
    const before = known.get(mirror);
    if (before !== undefined && before.syncedAt === syncedAt) return before.result;
    const result = compute(mirror);
    known.set(mirror, { syncedAt, result });
    return result;
  };
}

/** Returns all persons of the local copy, in the order of their last names. */
export const membersOf = onceASync((mirror) =>
  Array.from(mirror.persons(), (person) => ({
    ...memberOf(person),
    employeeNumber: person.employeeNumber ?? undefined,
  })).toSorted((one, other) => compare(one.name, other.name)),
);

/** Returns the values by which teams of the local copy can be chosen. */
export const choicesOf = onceASync((mirror) => teamChoices(membersOf(mirror)));
