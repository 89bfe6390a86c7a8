import type { Person } from '@hr/client';
import { matches, searchableText, searchWords } from '@hr/client/search';
import { personName } from '@hr/text/person-name';
import { memberOf, teamOf } from '../model/team.ts';
import type { Format } from '../shell/format.ts';
import type { PeopleSearch } from './people-search.ts';

/** All persons of the directory, or what changed. */
export interface PeopleScreen {
  /** Of the directory. A page that has it reads what changed since then. */
  readonly version: string;
  /** Ordered by their ids. */
  readonly rows: readonly ListedPerson[];
  /** Ids of persons who are gone since the version of the page. Without it, the rows are all persons. */
  readonly deleted?: readonly string[];
}

/** A person in the directory: only what it shows. Missing values are `''`. */
export type ListedPerson = ReturnType<typeof listedPerson>;

export function listedPerson(person: Person) {
  const { employeeNumber, jobTitle, businessEmail, employments, groupEntryDate, groupExitDate } = person;
  return {
    ...memberOf(person),
    fullName: personName(person),
    number: employeeNumber ?? '',
    job: jobTitle ?? '',
    // Not the domain of the e-mail: all have the same.
    mailbox: businessEmail?.split('@')[0] ?? '',
    entry: groupEntryDate ?? '',
    exit: groupExitDate ?? '',
    contracts: employments?.map(({ payrollContractId }) => payrollContractId) ?? [],
  };
}

const searchable = new WeakMap<ListedPerson, string>();

/** The text by which a person is found. To make those of 10,000 takes longer than to search them. */
function searchableOf(person: ListedPerson): string {
  const { id, name, number, job, mailbox, contracts } = person;
  const found = searchable.get(person) ?? searchableText([name, number, id, job, mailbox, ...contracts].join(' '));
  searchable.set(person, found);
  return found;
}

/** Adds what changed to the persons of before. */
export function mergePeople(before: PeopleScreen | undefined, read: PeopleScreen): PeopleScreen {
  if (before === undefined || read.deleted === undefined) return read;
  const rows = new Map(before.rows.map((person) => [person.id, person]));
  for (const id of read.deleted) rows.delete(id);
  for (const person of read.rows) rows.set(person.id, person);
  return { version: read.version, rows: [...rows.values()].toSorted(byId) };
}

export const byId = (one: ListedPerson, other: ListedPerson): number => (one.id < other.id ? -1 : 1);

/** Returns those to whom all conditions apply, sorted. Persons without the value are last. */
export function filterPeople(
  people: readonly ListedPerson[],
  { q = '', sort = 'name', desc, ...team }: Omit<PeopleSearch, 'missing' | 'person'>,
  compare: Format['compare'],
  groupName = (id: string): string => id,
): readonly ListedPerson[] {
  // A pasted e-mail address is found by its mailbox.
  const words = searchWords(q.replaceAll(/@\S*/g, ''));
  const found = teamOf(people, team).filter((person) =>
    words.length === 0 ? q.trim() === '' : matches(searchableOf(person), words),
  );
  const direction = desc ? -1 : 1;
  const sortText = (person: ListedPerson): string =>
    sort === 'groups' ? person.groups.map(groupName).join(' ') : person[sort];
  const keyed = found.map((person) => ({ person, key: sortText(person) }));
  keyed.sort((one, other) => {
    if (one.key === '' || other.key === '') return Number(one.key === '') - Number(other.key === '');
    return direction * compare(one.key, other.key) || compare(one.person.name, other.person.name);
  });
  return keyed.map(({ person }) => person);
}
