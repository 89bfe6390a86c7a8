import { addMonths, lastDayOf, today } from '../model/calendar.ts';
import * as parameters from '../shell/search.ts';

/** What the screen shows, as the address of the page says. */
export interface AbsencesSearch {
  readonly range: 'month' | 'quarter';
  /** A month of the range, `YYYY-MM`. */
  readonly month: string;
  readonly name: string;
  readonly group: string;
  readonly status: string;
  readonly onlyAbsent: boolean;
  /** A day on which the people who are shown are away. */
  readonly day: string | undefined;
  readonly view: 'timeline' | 'table';
}

export const absencesSearch = parameters.searchReader({
  range: parameters.oneOf('month', 'quarter'),
  month: parameters.month,
  name: parameters.text,
  group: parameters.text,
  status: parameters.text,
  only: parameters.flag,
  day: parameters.date,
  view: parameters.oneOf('timeline', 'table'),
});

const MONTHS_A_QUARTER = 3;

export function monthOf(date: string): string {
  return date.slice(0, 'YYYY-MM'.length);
}

/** The first and the last day of the range. */
export function daysOf({ range, month }: Pick<AbsencesSearch, 'range' | 'month'>): {
  readonly from: string;
  readonly to: string;
} {
  const place = (Number(month.slice('YYYY-'.length)) - 1) % MONTHS_A_QUARTER;
  const first = range === 'month' ? month : addMonths(month, -place);
  const last = range === 'month' ? month : addMonths(first, MONTHS_A_QUARTER - 1);
  return { from: `${first}-01`, to: lastDayOf(last) };
}

/** Returns what the address says, and a function that changes it. What is the default is not in the address. */
export function useAbsencesSearch(): readonly [AbsencesSearch, (change: Partial<AbsencesSearch>) => void] {
  const [given, changeAddress] = parameters.useSearchOf<parameters.SearchOf<typeof absencesSearch>>();
  const { range = 'month', view = 'timeline', name = '', group = '', status = '', day } = given;
  const month = monthOf(day ?? given.month ?? today());
  const search: AbsencesSearch = { range, month, name, group, status, onlyAbsent: given.only === true, day, view };
  const change = (changed: Partial<AbsencesSearch>): void => {
    const next = { ...search, ...changed };
    changeAddress({
      month: next.month === monthOf(today()) ? undefined : next.month,
      range: next.range === 'month' ? undefined : next.range,
      name: next.name || undefined,
      group: next.group || undefined,
      status: next.status || undefined,
      only: next.onlyAbsent || undefined,
      day: next.day,
      view: next.view === 'timeline' ? undefined : next.view,
    });
  };
  return [search, change];
}
