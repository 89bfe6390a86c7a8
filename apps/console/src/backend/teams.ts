import type { Mirror } from '@hr/client/mirror';
import { z } from 'zod';
import { memberOf, teamParts, type Member, type TeamPart } from '../model/team.ts';

const value = z.string().max(400).optional();

/** The parameters of a team. */
export const teamQuery = Object.fromEntries(teamParts.map((part) => [part, value])) as Record<TeamPart, typeof value>;

const { compare } = new Intl.Collator('de');

/** Returns all persons of the local copy, in the order of their last names. */
export function membersOf(mirror: Mirror): (Member & { readonly employeeNumber: string | undefined })[] {
  return Array.from(mirror.persons(), (person) => ({
    ...memberOf(person),
    employeeNumber: person.employeeNumber ?? undefined,
  })).toSorted((one, other) => compare(one.name, other.name));
}
