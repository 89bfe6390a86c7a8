import { Table } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { SmallDayStrip } from './day-strip.tsx';
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

/** All days of the month with their bookings and times, and the sums of weeks and the month. */
export function DaysTable({ account, caption, day }: DaysTableProps): ReactNode {
  const text = useMessages(messages);
  const { days, weeks, sums, absences } = account;
  const byDate = new Map(days.map((one) => [one.date, one]));
  return (
    // A part that scrolls needs the keyboard (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={css['scroll']} aria-label={caption} tabIndex={0}>
      <Table verticalSpacing={5} horizontalSpacing="md" data-table="days">
        <Table.Caption className={css['hidden']}>{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.day}</Table.Th>
            <Table.Th scope="col" className={`${css['stripCell']} ${css['bookingCell']}`}>
              {`${text.bookings} (0–24 h)`}
            </Table.Th>
            <Table.Th scope="col" className={css['bookingCell']}>{`${text.clock} (${text.key})`}</Table.Th>
            {timeNames.map((name) => (
              <Table.Th key={name} scope="col" className={css['number']}>
                {text[name]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {weeks.map((week) => (
            <Fragment key={week.number}>
              {week.dates.map(
                (date) =>
                  date !== null && (
                    <DayRow
                      key={date}
                      date={date}
                      day={byDate.get(date)}
                      absences={absences[date] ?? []}
                      isChosen={date === day}
                    />
                  ),
              )}
              <SumRow name={text.weekNumber(week.number)} sums={week.sums} />
            </Fragment>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <SumRow name={text.monthSum} sums={sums} />
        </Table.Tfoot>
      </Table>
    </section>
  );
}

interface DayRowProps {
  readonly date: string;
  readonly day: TimeDay | undefined;
  readonly absences: readonly (string | undefined)[];
  readonly isChosen: boolean;
}

function DayRow({ date, day, absences, isChosen }: DayRowProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const times = day?.bookings.map(
    ({ time, key, date: other }) => `${other ? `${format.date(other)} ` : ''}${time} (${key})`,
  );
  const invalid =
    day && day.invalid.length > 0 && text.invalid(format.list(day.invalid.map((value) => format.number(value))));
  return (
    <Table.Tr className={isChosen ? css['chosen'] : ''} data-date={date}>
      <Table.Th scope="row" fw={500} {...(!day && { c: 'dimmed' })} style={{ whiteSpace: 'nowrap' }}>
        {format.weekday(date)}
      </Table.Th>
      <Table.Td className={`${css['stripCell']} ${css['bookingCell']}`}>
        {day && <SmallDayStrip bookings={day.bookings} />}
      </Table.Td>
      <Table.Td className={css['bookingCell']}>
        {absences.length > 0 && <span data-absent>{text.absent(absences)} </span>}
        {times?.map((booking, index) => (
          // Two bookings may have the same time and key.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 && ', '}
            <span className={css['booking']}>{booking}</span>
          </Fragment>
        ))}
        {invalid && (
          <span title={invalid}>
            <IconAlertTriangle size={14} aria-hidden />
            <span className={css['hidden']}>{invalid}</span>
          </span>
        )}
      </Table.Td>
      <TimeCells times={day} />
    </Table.Tr>
  );
}

function SumRow({ name, sums }: { readonly name: string; readonly sums: Times }): ReactNode {
  return (
    <Table.Tr className={css['weekSum']} data-sum={name}>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td className={css['bookingCell']} colSpan={2} />
      <TimeCells times={sums} />
    </Table.Tr>
  );
}

function TimeCells({ times }: { readonly times: Times | undefined }): ReactNode {
  const format = useFormat();
  return timeNames.map((name) => (
    <Table.Td key={name} className={css['number']} data-time={name}>
      {shownTime(format, times?.[name], name === 'difference' ? name : undefined)}
    </Table.Td>
  ));
}
