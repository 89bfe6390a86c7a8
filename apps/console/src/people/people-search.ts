import { sortKeys } from '../model/addresses.ts';
import { gaps } from '../model/gaps.ts';
import { flag, oneOf, searchReader, teamParameters, text, type SearchOf } from '../shell/search.ts';

export const peopleSearch = searchReader({
  /** Words that somebody searches for. */
  q: text,
  ...teamParameters,
  missing: oneOf(...gaps),
  sort: oneOf(...sortKeys),
  desc: flag,
  /** Id of the person in the side panel. */
  person: text,
});
export type PeopleSearch = SearchOf<typeof peopleSearch>;

/** Fragment of an address that gives the focus to the search field. */
export const SEARCH_FRAGMENT = 'search';
