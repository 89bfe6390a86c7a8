import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Band } from './day-strip.tsx';
import { messages } from './messages.ts';
import { shownTime } from './month-calendar.tsx';
import type { TimeAccount, TimeDay, Times } from './time-account.ts';
import { timeNames } from './time-figures.tsx';
import css from './time.module.css';

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
      hidesCaption
      isFramed
      minWidth={0}
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
