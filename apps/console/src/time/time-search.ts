import { date, flag, month, searchReader, teamParameters, text, type SearchOf } from '../shell/search.ts';

export const timeSearch = searchReader({
  /** Whether a month of a team is shown, instead of one of a person. */
  team: flag,
  ...teamParameters,
  person: text,
  month,
  day: date,
});
export type TimeSearch = SearchOf<typeof timeSearch>;
