import { VisuallyHidden } from '@mantine/core';
import { useMemo, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { dateOf, dayNumber, filterPeople, type AbsentPerson } from './absence-days.ts';
import classes from './absences.module.css';
import { messages } from './messages.ts';

interface DayHeaderProps {
  readonly people: readonly AbsentPerson[];
  readonly from: string;
  readonly days: number;
  /** Whether a week shares a button, because a day is too narrow for one. */
  readonly byWeek: boolean;
  readonly today: string;
  readonly chosen: string | undefined;
  readonly choose: (day: string | undefined) => void;
}

const WEEK = 7;
/** A shorter piece of a week belongs to its neighbour, so that its date has room. */
const MIN_DAYS = 5;

/** The days of a time range as buttons. They choose the day on which people are away. */
export function DayHeader({ people, from, days, byWeek, today, chosen, choose }: DayHeaderProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const weekday = useMemo(
    () => new Intl.DateTimeFormat(locale, { weekday: locale === 'de' ? 'short' : 'narrow', timeZone: 'UTC' }),
    [locale],
  );
  const first = dayNumber(from);
  const starts = useMemo(
    () => (byWeek ? weekStarts(first, days) : Array.from({ length: days }, (_, day) => day)),
    [byWeek, first, days],
  );
  const counts = useMemo(
    () => starts.map((start) => filterPeople(people, { onlyAbsent: true, day: dateOf(first + start) }).length),
    [people, starts, first],
  );
  const chosenDay = chosen === undefined ? dayNumber(today) - first : dayNumber(chosen) - first;
  const reachable = Math.max(
    0,
    starts.findLastIndex((start) => start <= Math.min(Math.max(chosenDay, 0), days - 1)),
  );

  return (
    <div className={classes['days']}>
      {starts.map((start, index) => {
        const length = (starts[index + 1] ?? days) - start;
        const date = dateOf(first + start);
        const shown = chosen !== undefined && chosenDay >= start && chosenDay < start + length;
        const isToday = length === 1 && date === today;
        const count = counts[index] ?? 0;
        // A click in a week chooses the day below the pointer, and the keyboard its first day.
        const onClick = ({ detail, clientX, currentTarget }: MouseEvent<HTMLElement>): void => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const offset = detail === 0 ? 0 : Math.floor(((clientX - left) / width) * length);
          const day = dateOf(first + start + Math.min(Math.max(offset, 0), length - 1));
          choose(day === chosen ? undefined : day);
        };
        return (
          <button
            key={date}
            type="button"
            className={`${classes['day']} ${byWeek ? classes['week'] : ''}`}
            style={{ flexGrow: length }}
            tabIndex={index === reachable ? 0 : -1}
            aria-pressed={shown}
            aria-current={isToday ? 'date' : undefined}
            onClick={onClick}
            onKeyDown={moveFocus}
          >
            <VisuallyHidden>
              {byWeek ? text.weekOf(format.weekday(date)) : text.awayOn(format.weekday(date), format.number(count))}
            </VisuallyHidden>
            <span className={classes['texts']} aria-hidden>
              {byWeek ? (
                format.weekday(date).replace(/^\p{L}+\.?,? /u, '')
              ) : (
                <>
                  <span className={classes['weekday']}>{weekday.format(new Date(date)).slice(0, 2)}</span>
                  <span className={isToday ? classes['today'] : undefined}>{Number(date.slice(-2))}</span>
                  <span className={classes['count']}>{count > 0 ? format.number(count) : '·'}</span>
                </>
              )}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** Moves the focus to the day or week before or after. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { previousElementSibling, nextElementSibling } = event.currentTarget;
  const target = { ArrowLeft: previousElementSibling, ArrowRight: nextElementSibling }[event.key];
  if (target instanceof HTMLElement) target.focus();
}

/** The first days of weeks, as numbers since the first day of the range. */
function weekStarts(first: number, days: number): number[] {
  const weekday = new Date(dateOf(first)).getUTCDay();
  const monday = (WEEK + 1 - weekday) % WEEK;
  const starts = monday < MIN_DAYS ? [] : [0];
  for (let day = monday; day < days; day += WEEK) {
    if (days - day >= MIN_DAYS) starts.push(day);
  }
  // What is before the first Monday belongs to the first week.
  return [0, ...starts.slice(1)];
}
