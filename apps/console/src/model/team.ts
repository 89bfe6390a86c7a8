import type { Person } from '@hr/client';
import { sortedName } from '@hr/text/person-name';

/** By what a team can be chosen. */
export const teamParts = ['manager', 'group', 'entity', 'place', 'status'] as const;
export type TeamPart = (typeof teamParts)[number];

/** The parts that all apply. The team of a manager are all who report to them, also through others. */
export type TeamFilter = { readonly [Part in TeamPart]?: string | undefined };

/** What of a person decides on their teams. Missing values are `''`. */
export interface Member {
  readonly id: string;
  /** Such as `Roth, Dr. Jana von`. */
  readonly name: string;
  readonly manager: string;
  readonly groups: readonly string[];
  readonly entity: string;
  readonly place: string;
  readonly status: string;
}

/** A value to choose, with the number of persons it leaves. */
export interface TeamChoice {
  readonly value: string;
  /** Of a manager. */
  readonly name?: string | undefined;
  readonly count: number;
}
export type TeamChoices = Readonly<Record<TeamPart, readonly TeamChoice[]>>;

const valuesOf: Readonly<Record<Exclude<TeamPart, 'manager'>, (member: Member) => readonly string[]>> = {
  group: ({ groups }) => groups,
  entity: ({ entity }) => [entity],
  place: ({ place }) => [place],
  status: ({ status }) => [status],
};

export function memberOf(person: Person): Member {
  return {
    id: person.id,
    name: sortedName(person).filter(Boolean).join(', '),
    manager: person.managerId ?? '',
    groups: person.groups?.map(({ id }) => id) ?? [],
    entity: person.legalEntity?.id ?? '',
    place: person.usualPlaceOfWork ?? '',
    status: person.status ?? '',
  };
}

/** Returns the persons of a team, in their order. */
export function teamOf<One extends Member>(people: readonly One[], { manager, ...filter }: TeamFilter): readonly One[] {
  const reports = manager === undefined ? undefined : reportsOf(people, manager);
  return people.filter(
    (person) =>
      (reports?.has(person.id) ?? true) &&
      Object.entries(valuesOf).every(([part, values]) => {
        const wanted = filter[part as keyof typeof filter];
        return wanted === undefined || values(person).includes(wanted);
      }),
  );
}

/** All who report to a manager, also through others. Where reports form a circle, everybody in it but the manager. */
function reportsOf(people: readonly Member[], manager: string): ReadonlySet<string> {
  const direct = Map.groupBy(people, (person) => person.manager);
  const found = new Set([manager]);
  // A set also goes through what is added on the way.
  for (const id of found) for (const report of direct.get(id) ?? []) found.add(report.id);
  found.delete(manager);
  return found;
}

/** Returns the values that occur, in no order. */
export function teamChoices(people: readonly Member[]): TeamChoices {
  const counts = new Map<string, number>();
  const byId = new Map(people.map((person) => [person.id, person]));
  for (const { id, manager } of people) {
    const above = new Set([id]);
    for (let one = manager; one !== '' && !above.has(one); one = byId.get(one)?.manager ?? '') {
      above.add(one);
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  }
  const managers = Array.from(counts, ([value, count]) => ({ value, count, name: byId.get(value)?.name }));
  const others = Object.entries(valuesOf).map(([part, values]) => [part, counted(people, values)]);
  return { manager: managers, ...Object.fromEntries(others) } as TeamChoices;
}

function counted(people: readonly Member[], values: (member: Member) => readonly string[]): TeamChoice[] {
  const counts = new Map<string, number>();
  for (const value of people.flatMap(values)) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return Array.from(counts, ([value, count]) => ({ value, count }));
}
