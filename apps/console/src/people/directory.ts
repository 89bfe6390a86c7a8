import { matches, searchableText, searchWords } from '@hr/client/search';
import type { Format } from '../shell/format.ts';
import type { PeopleSearch } from './people-search.ts';
import type { PersonRow } from './person-row.ts';

/** A person in the directory. */
export interface ListedPerson {
  readonly id: string;
  /** Such as `Roth, Dr. Jana von`. */
  readonly name: string;
  /** Such as `Dr. Jana von Roth`. */
  readonly fullName: string;
  readonly number: string;
  readonly job: string;
  readonly place: string;
  readonly email: string;
  readonly groups: readonly string[];
  readonly status: string;
  readonly entry: string;
  readonly exit: string;
  /** See `searchableText`. */
  readonly searchable: string;
}

const directories = new WeakMap<readonly PersonRow[], readonly ListedPerson[]>();

/** Returns the persons of a response. The screen and the palette share them. */
export function directoryOf(rows: readonly PersonRow[]): readonly ListedPerson[] {
  const directory = directories.get(rows) ?? rows.map(listedPerson);
  directories.set(rows, directory);
  return directory;
}

function listedPerson(row: PersonRow): ListedPerson {
  const [id, last, first, number, job, place, email, groups, status, entry, exit, contracts] = row;
  // Not the domain of the e-mail: all have the same.
  const [mailbox = ''] = email.split('@');
  return {
    id,
    name: first ? `${last}, ${first}` : last,
    fullName: first ? `${first} ${last}` : last,
    number,
    job,
    place,
    email,
    groups,
    status,
    entry,
    exit,
    searchable: searchableText([last, first, number, id, job, mailbox, ...contracts].join(' ')),
  };
}

/** Returns those to whom all conditions apply, sorted. Persons without the value are last. */
export function filterPeople(
  people: readonly ListedPerson[],
  { q = '', status, group, place, sort = 'name', desc }: PeopleSearch,
  compare: Format['compare'],
  groupName = (id: string): string => id,
): readonly ListedPerson[] {
  // A pasted e-mail address is found by its mailbox.
  const words = searchWords(q.replaceAll(/@\S*/g, ''));
  const found = people.filter(
    (person) =>
      (status === undefined || person.status === status) &&
      (group === undefined || person.groups.includes(group)) &&
      (place === undefined || person.place === place) &&
      matches(person.searchable, words) &&
      (words.length > 0 || q.trim() === ''),
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

/** Returns the values that occur, each with its number of persons, sorted. */
export function valuesOf(
  people: readonly ListedPerson[],
  values: (person: ListedPerson) => readonly string[],
  compare: Format['compare'],
): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const value of people.flatMap(values)) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([one], [other]) => compare(one, other));
}
