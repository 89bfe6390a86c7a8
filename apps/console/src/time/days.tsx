import { Box, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, useRef, type CSSProperties, type ReactNode } from 'react';
import { inLanes, laneCount, placeOf } from '../components/bars.ts';
import bars from '../components/grid.module.css';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { Steps } from '../components/steps.tsx';
import { useRemWidth } from '../components/use-rem-width.ts';
import { addDays, monthOf } from '../model/calendar.ts';
import { useFormat } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { shownTime, TimeFigures, timeNames } from './month-calendar.tsx';
import type { Booking, TimeAccount, TimeDay, Times } from './time-routes.ts';
import css from './time.module.css';

interface DayPanelProps {
  readonly date: string;
  /** Undefined if the service states nothing of the day. */
  readonly day: TimeDay | undefined;
  /** The keys of the absences of the day. */
  readonly absences: readonly (string | undefined)[];
  readonly onDay: (date: string) => void;
}

/** A day with its bookings and times. */
export function DayPanel({ date, day, absences, onDay }: DayPanelProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Box component="section" className="panel" p="md" flex="2 1 20rem" miw={0} aria-label={text.day}>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2} aria-live="polite">
          {format.weekday(date)}
        </Title>
        <Steps
          unit="day"
          canStep={(direction) => monthOf(addDays(date, direction)) === monthOf(date)}
          onStep={(direction) => onDay(addDays(date, direction))}
        />
      </Group>
      {absences.length > 0 && (
        <Text mb="sm">
          <span className={`${css['swatch']} ${css['absent']}`} aria-hidden /> {text.absent(absences)}
        </Text>
      )}
      {day ? <StatedDay day={day} /> : <Text c="dimmed">{text.noData}</Text>}
    </Box>
  );
}

function StatedDay({ day }: { readonly day: TimeDay }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const columns: readonly TableColumn<Booking>[] = [
    { header: text.otherDate, render: ({ date = day.date }) => format.date(date) },
    { header: text.clock, render: ({ time }) => time },
    { header: text.key, render: ({ key }) => <LabelText kind="bookingKey" id={key} /> },
  ];
  const hasOtherDate = day.bookings.some(({ date }) => date !== undefined);
  return (
    <Stack gap="md">
      <TimeFigures times={day} />
      {day.invalid.length > 0 && (
        <Text size="sm">{text.invalid(format.list(day.invalid.map((value) => format.number(value))))}</Text>
      )}
      <DayStrip day={day} />
      {day.bookings.length === 0 ? (
        <Text c="dimmed">{text.noBookings}</Text>
      ) : (
        <ScrollTable
          caption={text.bookings}
          isFramed
          rows={day.bookings}
          columns={hasOtherDate ? columns : columns.slice(1)}
        />
      )}
      <Text size="xs" c="dimmed">
        {text.keyNote}
      </Text>
    </Stack>
  );
}

const MINUTES_A_DAY = 1440;
const HOURS = [0, 6, 12, 18, 24];
const HOURS_A_DAY = 24;
/** Widths in rem, of a character of a label and of the room after it. */
const CHARACTER = 0.42;
const ROOM = 0.5;

/** The bookings of a day as marks from 0 to 24 h, with their times. Nothing is drawn between them. */
function DayStrip({ day: { date, bookings } }: { readonly day: TimeDay }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const strip = useRef<HTMLDivElement>(null);
  const width = useRemWidth(strip);
  const shown = ofSameDate(bookings);
  // Times are above each other where they would overlap.
  const labels = inLanes(
    shown.map(({ time, minute }) => {
      const length = ((time.length * CHARACTER + ROOM) / width) * MINUTES_A_DAY;
      const start = Math.max(0, Math.min(minute, MINUTES_A_DAY - length));
      return { time, minute, start, end: start + length };
    }),
  );
  const words = format.list(shown.map(({ time, key }) => text.booking(time, nameOf('bookingKey', key))));
  return (
    <div
      ref={strip}
      className={css['strip']}
      style={{ '--lanes': laneCount(labels) } as CSSProperties}
      role="img"
      aria-label={text.stripLabel(format.date(date), words || text.noBookings)}
    >
      {labels.map(({ time, minute, start, lane }, index) => (
        // Two bookings may have the same time and key.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} style={{ '--lane': lane } as CSSProperties}>
          <span className={css['leader']} style={placeOf(MINUTES_A_DAY, minute)} />
          <span className={css['time']} style={{ left: placeOf(MINUTES_A_DAY, start).left }}>
            {time}
          </span>
        </div>
      ))}
      <Band bookings={bookings} />
      {HOURS.map((hour) => (
        <span key={hour} className={css['hour']} style={placeOf(HOURS_A_DAY, hour)}>
          {hour}
        </span>
      ))}
    </div>
  );
}

/** The marks alone, for a row of the table that has the times as text. */
function Band({ bookings }: { readonly bookings: readonly Booking[] }): ReactNode {
  return (
    <div className={css['band']} aria-hidden>
      {HOURS.slice(1, -1).map((hour) => (
        <span key={hour} className={bars['line']} style={placeOf(HOURS_A_DAY, hour)} />
      ))}
      {ofSameDate(bookings).map(({ minute }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={bars['mark']} style={placeOf(MINUTES_A_DAY, minute)} />
      ))}
    </div>
  );
}

/** A booking of another date has no place on the strip; the list names it. */
function ofSameDate(bookings: readonly Booking[]): Booking[] {
  return bookings.filter(({ date }) => date === undefined);
}

interface DaysTableProps {
  readonly account: TimeAccount;
  readonly caption: string;
  /** The chosen day. */
  readonly day: string;
}

/** A day, or sums of days. */
interface Line {
  readonly name: string;
  readonly date?: string;
  readonly times: Times | undefined;
  readonly day?: TimeDay | undefined;
}

/** Width from which on there is room for bookings. The times are what people compare. */
const BOOKINGS_FROM = 44;

/** All days of the month with their bookings and times, and the sums of weeks and the month. */
export function DaysTable({ account: { days, weeks, sums, absences }, caption, day }: DaysTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const byDate = new Map(days.map((one) => [one.date, one]));
  const lines = weeks.flatMap(({ number, dates, sums: times }): Line[] => [
    ...dates
      .filter((date) => date !== null)
      .map((date) => ({ name: format.weekday(date), date, times: byDate.get(date), day: byDate.get(date) })),
    { name: text.weekNumber(number), times },
  ]);
  const columns: readonly TableColumn<Line>[] = [
    { header: text.day, render: ({ name }) => name },
    {
      header: `${text.bookings} (0–24 h)`,
      from: BOOKINGS_FROM,
      render: (line) => line.day && <Band bookings={line.day.bookings} />,
    },
    {
      header: `${text.clock} (${text.key})`,
      from: BOOKINGS_FROM,
      render: (line) => <Bookings day={line.day} absences={absences[line.date ?? '']} />,
    },
    ...timeNames.map((name): TableColumn<Line> => ({
      header: text[name],
      figures: 'end',
      render: ({ times }) => <span data-time={name}>{shownTime(format, times?.[name], name)}</span>,
    })),
  ];
  return (
    <ScrollTable
      caption={caption}
      isFramed
      columns={columns}
      rows={[...lines, { name: text.monthSum, times: sums }]}
      keyOf={({ name }) => name}
      rowProps={({ date, times }) => ({
        className: date === undefined ? css['sum'] : css['day'],
        'aria-current': date === day ? 'date' : undefined,
        ...(date === undefined ? { 'data-sum': true } : { 'data-date': date, 'data-stated': times !== undefined }),
      })}
    />
  );
}

interface BookingsProps {
  readonly day: TimeDay | undefined;
  readonly absences: readonly (string | undefined)[] | undefined;
}

function Bookings({ day, absences }: BookingsProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const invalid =
    day && day.invalid.length > 0 && text.invalid(format.list(day.invalid.map((value) => format.number(value))));
  return (
    <span className={css['bookings']}>
      {absences && <span data-absent>{text.absent(absences)} </span>}
      {day?.bookings.map(({ time, key, date }, index) => (
        // Two bookings may have the same time and key.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 && ', '}
          <span
            style={{ whiteSpace: 'nowrap' }}
          >{`${date ? `${format.date(date)} ` : ''}${time} (${nameOf('bookingKey', key)})`}</span>
        </Fragment>
      ))}
      {invalid && (
        <span title={invalid}>
          <IconAlertTriangle size={14} aria-hidden />
          <VisuallyHidden>{invalid}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}
