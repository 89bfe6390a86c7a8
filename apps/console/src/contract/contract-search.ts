import { month, oneOf, searchReader, type SearchOf } from '../shell/search.ts';

/** The first and the last month, and whether to show the table alone. */
export const contractSearch = searchReader({ from: month, to: month, view: oneOf('table') });
export type ContractSearch = SearchOf<typeof contractSearch>;
