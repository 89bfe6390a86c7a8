import { useNavigate, useSearch } from '@tanstack/react-router';
import { addMonths } from '../time/calendar.ts';
import { dateOf, dayNumber } from './absence-days.ts';

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

const MONTHS_A_QUARTER = 3;

/** The day in the time zone of the browser. */
export function today(): string {
  const now = new Date();
  return dateOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}

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
  const after = addMonths(first, range === 'month' ? 1 : MONTHS_A_QUARTER);
  return { from: `${first}-01`, to: dateOf(dayNumber(`${after}-01`) - 1) };
}

/** Returns what the address says, and a function that changes it. What is the default is not in the address. */
export function useAbsencesSearch(): readonly [AbsencesSearch, (change: Partial<AbsencesSearch>) => void] {
  const given: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const text = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' ? value : '';
  };
  const month = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(text('month')) ? text('month') : monthOf(today());
  const day =
    /^\d{4}-\d{2}-\d{2}$/.test(text('day')) && !Number.isNaN(dayNumber(text('day'))) ? text('day') : undefined;
  const search: AbsencesSearch = {
    range: given['range'] === 'quarter' ? 'quarter' : 'month',
    month: day === undefined ? month : monthOf(day),
    name: text('name'),
    group: text('group'),
    status: text('status'),
    onlyAbsent: text('only') === 'true',
    day,
    view: given['view'] === 'table' ? 'table' : 'timeline',
  };
  const change = (changed: Partial<AbsencesSearch>): void => {
    const { range, view, onlyAbsent, ...next } = { ...search, ...changed };
    void navigate({
      to: '/absences',
      replace: true,
      resetScroll: false,
      search: {
        month: next.month === monthOf(today()) ? undefined : next.month,
        range: range === 'month' ? undefined : range,
        name: next.name || undefined,
        group: next.group || undefined,
        status: next.status || undefined,
        only: onlyAbsent || undefined,
        day: next.day,
        view: view === 'timeline' ? undefined : view,
      },
    });
  };
  return [search, change];
}
