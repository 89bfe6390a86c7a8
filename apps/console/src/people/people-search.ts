/** What can be sorted by. */
export const sortKeys = ['name', 'number', 'job', 'place', 'groups', 'status', 'entry', 'exit'] as const;
export type SortKey = (typeof sortKeys)[number];

/** What the address of the directory says. Without a value, the default applies. */
export interface PeopleSearch {
  /** Words that somebody searches for. */
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly group?: string | undefined;
  readonly place?: string | undefined;
  readonly sort?: SortKey | undefined;
  readonly desc?: true | undefined;
  /** Id of the person in the side panel. */
  readonly person?: string | undefined;
}

const names = ['q', 'status', 'group', 'place', 'person'] as const;

/** Fragment of an address that gives the focus to the search field. */
export const SEARCH_FRAGMENT = 'search';

/** Reads the address. It ignores what it does not know. A number that somebody typed into it is a text. */
export function peopleSearch(input: Readonly<Record<string, unknown>>): PeopleSearch {
  const texts = names.flatMap((name) => (isGiven(input[name]) ? [[name, String(input[name])]] : []));
  const sort = sortKeys.find((key) => key === input['sort']);
  return { ...Object.fromEntries(texts), ...(sort && { sort }), ...(input['desc'] === true && { desc: true }) };
}

function isGiven(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
