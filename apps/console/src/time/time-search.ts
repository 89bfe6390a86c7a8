import { date, month, searchReader, text, type SearchOf } from '../shell/search.ts';

export const timeSearch = searchReader({ person: text, month, day: date });
export type TimeSearch = SearchOf<typeof timeSearch>;
