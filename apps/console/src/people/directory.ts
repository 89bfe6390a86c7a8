import { matches, searchableText, searchWords } from '@hr/client/search';
import { teamOf, type Member } from '../model/team.ts';
import type { Format } from '../shell/format.ts';
import type { PeopleSearch } from './people-search.ts';
import type { PersonRow } from './person-row.ts';

/** A person in the directory. */
export interface ListedPerson extends Member {
  /** Such as `Dr. Jana von Roth`. */
  readonly fullName: string;
  readonly number: string;
  readonly job: string;
  readonly email: string;
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
  const [id, last, first, number, job, place, email, groups, status, entry, exit, contracts, manager, entity] = row;
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
    manager,
    groups,
    entity,
    status,
    entry,
    exit,
    searchable: searchableText([last, first, number, id, job, mailbox, ...contracts].join(' ')),
  };
}

/** Returns those to whom all conditions apply, sorted. Persons without the value are last. */
export function filterPeople(
  people: readonly ListedPerson[],
  { q = '', sort = 'name', desc, ...team }: PeopleSearch,
  compare: Format['compare'],
  groupName = (id: string): string => id,
): readonly ListedPerson[] {
  // A pasted e-mail address is found by its mailbox.
  const words = searchWords(q.replaceAll(/@\S*/g, ''));
  const found = teamOf(people, team).filter(
    ({ searchable }) => matches(searchable, words) && (words.length > 0 || q.trim() === ''),
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
