import { addMonths, lastDayOf, monthOf, today } from '../model/calendar.ts';
import {
  date,
  flag,
  month,
  oneOf,
  searchReader,
  teamParameters,
  text,
  useSearchOf,
  type SearchOf,
} from '../shell/search.ts';

export const absencesSearch = searchReader({
  range: oneOf('month', 'quarter'),
  /** A month of the range. */
  month,
  name: text,
  ...teamParameters,
  /** Whether people without absences are left out. */
  only: flag,
  /** A day on which the people who are shown are away. */
  day: date,
  view: oneOf('timeline', 'table'),
});
type GivenSearch = SearchOf<typeof absencesSearch>;

/** What the screen shows, as the address of the page says. */
export interface AbsencesSearch extends GivenSearch {
  readonly range: 'month' | 'quarter';
  readonly month: string;
  readonly view: 'timeline' | 'table';
}

export const MONTHS_A_QUARTER = 3;

/** The first and the last day of the range. */
export function daysOf({ range, month: shown }: Pick<AbsencesSearch, 'range' | 'month'>): {
  readonly from: string;
  readonly to: string;
} {
  const place = (Number(shown.slice('YYYY-'.length)) - 1) % MONTHS_A_QUARTER;
  const first = range === 'month' ? shown : addMonths(shown, -place);
  const last = range === 'month' ? first : addMonths(first, MONTHS_A_QUARTER - 1);
  return { from: `${first}-01`, to: lastDayOf(last) };
}

/** Returns what the address says, and a function that changes it. What is the default is not in the address. */
export function useAbsencesSearch(): readonly [AbsencesSearch, (change: GivenSearch) => void] {
  const [given, changeAddress] = useSearchOf<GivenSearch>();
  const { range = 'month', view = 'timeline' } = given;
  const shown = monthOf(given.day ?? given.month ?? today());
  const change = (changed: GivenSearch): void => {
    const next = { range, view, month: shown, ...changed };
    changeAddress({
      ...next,
      range: next.range === 'month' ? undefined : next.range,
      month: next.month === monthOf(today()) ? undefined : next.month,
      view: next.view === 'timeline' ? undefined : next.view,
    });
  };
  return [{ ...given, range, month: shown, view }, change];
}
