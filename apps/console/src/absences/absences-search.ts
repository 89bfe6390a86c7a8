import { addMonths, lastDayOf } from '../model/calendar.ts';
import { date, flag, month, oneOf, searchReader, teamParameters, text, type SearchOf } from '../shell/search.ts';

export const absencesSearch = searchReader({
  /** By default a month. */
  range: oneOf('quarter'),
  /** A month of the range. By default that of the day or of today. */
  month,
  name: text,
  ...teamParameters,
  /** Whether people without absences are left out. */
  only: flag,
  /** A day on which the people who are shown are away. */
  day: date,
  /** By default a timeline. */
  view: oneOf('table'),
});
export type AbsencesSearch = SearchOf<typeof absencesSearch>;

export const MONTHS_A_QUARTER = 3;

/** The first and the last day of a month, or of the quarter that it is in. */
export function daysOf(shown: string, range: AbsencesSearch['range']): { readonly from: string; readonly to: string } {
  if (range === undefined) return { from: `${shown}-01`, to: lastDayOf(shown) };
  const place = (Number(shown.slice('YYYY-'.length)) - 1) % MONTHS_A_QUARTER;
  const first = addMonths(shown, -place);
  return { from: `${first}-01`, to: lastDayOf(addMonths(first, MONTHS_A_QUARTER - 1)) };
}
