import { tabs } from '../model/addresses.ts';
import { oneOf, searchReader, type SearchOf } from '../shell/search.ts';

/** Without a tab, it is the profile. */
export const personSearch = searchReader({ tab: oneOf(...tabs) });
export type PersonSearch = SearchOf<typeof personSearch>;
