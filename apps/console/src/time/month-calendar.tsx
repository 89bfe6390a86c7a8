import { Box, Group, SegmentedControl, Text, Title, VisuallyHidden } from '@mantine/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { addDays } from '../model/calendar.ts';
import { DASH, useFormat, type Format } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { TimeAccount, Times } from './time-routes.ts';
import css from './time.module.css';

/** What the calendar shows. */
type Measure = 'booked' | 'difference';

interface MonthCalendarProps {
  readonly account: TimeAccount;
  readonly month: string;
  readonly day: string;
  readonly onDay: (date: string) => void;
}

const DAYS_A_WEEK = 7;
/** Of any week. */
const MONDAY_TO_SUNDAY = Array.from({ length: DAYS_A_WEEK }, (_, day) => addDays('2024-01-01', day));

/** The days of a month by week, shaded by their booked time or its difference to the target. */
export function MonthCalendar({ account, month, day, onDay }: MonthCalendarProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [measure, setMeasure] = useState<Measure>('booked');
  const { days, weeks, absences } = account;
  const heat = heatOf(measure, days);
  const byDate = new Map(days.map((one) => [one.date, one]));
  const dates = weeks.flatMap((week) => week.dates.filter((date) => date !== null));
  const onKey = (event: KeyboardEvent): void => {
    const index = dates.indexOf(day);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index - DAYS_A_WEEK,
      ArrowDown: index + DAYS_A_WEEK,
      Home: 0,
      End: dates.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const date = dates[target];
    if (date === undefined) return;
    onDay(date);
    document.querySelector<HTMLElement>(`[data-day="${date}"]`)?.focus();
  };
  const renderDay = (date: string): ReactNode => {
    const minutes = byDate.get(date)?.[measure];
    const shown = shownTime(format, minutes, measure);
    const keys = absences[date];
    return (
      // The keys of the grid choose the day.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <td
        key={date}
        data-day={date}
        tabIndex={date === day ? 0 : -1}
        aria-selected={date === day}
        style={{ background: heat.color(minutes) }}
        onClick={() => onDay(date)}
      >
        <span className={css['dayNumber']} aria-hidden>
          {Number(date.slice(-2))}
        </span>
        <VisuallyHidden>{`${format.weekday(date)}: ${shown === '' ? text.noData : ''}`}</VisuallyHidden>
        {shown}
        {keys && (
          <span className={css['absent']} data-absent>
            <VisuallyHidden>{text.absent(keys)}</VisuallyHidden>
          </span>
        )}
      </td>
    );
  };

  return (
    <Box component="section" className="panel" p="md" flex="3 1 24rem" miw={0} aria-label={text.calendar}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2}>{text.calendar}</Title>
        <SegmentedControl
          size="xs"
          aria-label={text.measure}
          value={measure}
          onChange={(value) => setMeasure(value === 'difference' ? 'difference' : 'booked')}
          data={(['booked', 'difference'] as const).map((value) => ({ value, label: text[value] }))}
        />
      </Group>
      <div className={css['scroll']}>
        <table
          // A table whose cells the arrow keys choose is a grid.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="grid"
          className={css['calendar']}
          aria-label={text.calendarLabel(text[measure], format.month(month))}
          onKeyDown={onKey}
        >
          <thead>
            <tr>
              <th scope="col">{text.week}</th>
              {MONDAY_TO_SUNDAY.map((date) => (
                <th key={date} scope="col">
                  {format.dayOfWeek(date)}
                </th>
              ))}
              <th scope="col">{text.sum}</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.number}>
                <th scope="row">{week.number}</th>
                {week.dates.map((date, weekday) =>
                  date === null ? (
                    // oxlint-disable-next-line react/no-array-index-key, jsx-a11y/control-has-associated-label -- a day of another month
                    <td key={weekday} />
                  ) : (
                    renderDay(date)
                  ),
                )}
                <td className={css['weekSum']}>{shownTime(format, week.sums[measure], measure)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group component="ul" gap="sm" mt="sm" p={0} m={0} aria-label={text.legend} style={{ listStyle: 'none' }}>
        {heat.shades.map(({ color, upTo }) => (
          <Group component="li" key={upTo} gap={6}>
            <span className={css['swatch']} style={{ background: color }} />
            <Text size="xs" c="dimmed">
              {text.upTo(shownTime(format, upTo, measure))}
            </Text>
          </Group>
        ))}
        {Object.keys(absences).length > 0 && (
          <Group component="li" gap={6}>
            <span className={`${css['swatch']} ${css['absent']}`} />
            <Text size="xs" c="dimmed">
              {text.absence}
            </Text>
          </Group>
        )}
      </Group>
    </Box>
  );
}

/** Shares of the colour. The text on the strongest one has enough contrast. */
const SHARES = [12, 22, 32, 42, 52];
const QUARTER_HOUR = 15;

/**
 * Chooses shades for minutes. Zero has none. Booked times of a month are much alike, so their shades begin at the
 * shortest one.
 */
export function heatOf(measure: Measure, days: readonly Times[]) {
  const values = days.flatMap((day) => day[measure] || []);
  const sizes = values.map(Math.abs);
  const shortest = measure === 'booked' ? Math.min(...sizes) - 1 : 0;
  const start = sizes.length === 0 ? 0 : Math.floor(shortest / QUARTER_HOUR) * QUARTER_HOUR;
  const span = Math.max(0, ...sizes) - start;
  const step = Math.max(1, Math.ceil(span / SHARES.length / QUARTER_HOUR)) * QUARTER_HOUR;
  const color = (minutes: number | undefined): string => {
    if (minutes === undefined || minutes === 0) return 'transparent';
    const share = SHARES[Math.ceil((Math.abs(minutes) - start) / step) - 1];
    return `color-mix(in srgb, var(--${minutes < 0 ? 'hr-less' : 'mantine-color-brand-filled'}) ${share}%, transparent)`;
  };
  // The largest minutes of each.
  const ends = SHARES.map((_, index) => start + step * (index + 1));
  const all = [...(values.some((value) => value < 0) ? ends.map((end) => -end).toReversed() : []), ...ends];
  return { color, shades: all.map((upTo) => ({ color: color(upTo), upTo })) };
}

export const timeNames = ['target', 'booked', 'chargeable', 'difference'] as const satisfies (keyof Times)[];

/** Minutes as people read them; a difference has its sign, so that the colour is not alone. */
export function shownTime(format: Format, minutes: number | undefined, name: keyof Times): string {
  if (minutes === undefined) return '';
  return `${name === 'difference' && minutes > 0 ? '+' : ''}${format.minutes(minutes)}`;
}

/** Target, booked and chargeable time of a day or a month, and the difference. */
export function TimeFigures({ times, label }: { readonly times: Times; readonly label?: string }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <dl className={css['sums']} aria-label={label}>
      {timeNames.map((name) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {text[name]}
          </Text>
          <Text component="dd" size="xl" fw={600} m={0} data-time={name}>
            {shownTime(format, times[name], name) || DASH}
          </Text>
        </div>
      ))}
    </dl>
  );
}
