import { CloseButton, Group, Stack, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Facts } from '../components/facts.tsx';
import { PersonLink } from '../components/link.tsx';
import { MAX_WIDE_DAYS, Timeline } from '../components/timeline.tsx';
import { dateOf, dayNumber, today, weekdayOf } from '../model/calendar.ts';
import { useFormat } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { awayOn, type AbsentPerson, type ShownAbsence } from './absence-days.ts';
import classes from './absences.module.css';
import { messages } from './messages.ts';

interface AbsencesTimelineProps {
  /** Those who are left by all filters. */
  readonly people: readonly AbsentPerson[];
  /** Those who are left by all filters but that of the day. */
  readonly counted: readonly AbsentPerson[];
  readonly from: string;
  readonly to: string;
  readonly rangeName: string;
  readonly day: string | undefined;
  readonly chooseDay: (day: string | undefined) => void;
}

const idOf = ({ id }: AbsentPerson): string => id;
const absencesOf = ({ absences }: AbsentPerson): readonly ShownAbsence[] => absences;

/** Absences over time, a row a person. */
export function AbsencesTimeline(props: AbsencesTimelineProps): ReactNode {
  const { people, counted, from, to, rangeName, day, chooseDay } = props;
  const text = useMessages(messages);
  const format = useFormat();
  const { colorOf, nameOf } = useLabels();
  const spanOf = ({ startDate, endDate }: ShownAbsence): string =>
    endDate === undefined
      ? text.spanOpen(format.date(startDate))
      : text.span(format.date(startDate), format.date(endDate));
  return (
    <Timeline
      label={text.timelineLabel(rangeName)}
      rows={people}
      keyOf={idOf}
      periodsOf={absencesOf}
      {...{ from, to, day }}
      nameHeading={text.person}
      daysHeading={rangeName}
      days={<DayHeader {...{ counted, from, to, day, chooseDay }} />}
      renderName={({ id, name }, rovingProps) => (
        <Link to="/people/$personId" params={{ personId: id }} title={name} {...rovingProps}>
          {name}
        </Link>
      )}
      bars={{
        text: ({ key }) => (key ? nameOf('bookingKey', key) : text.noKey),
        color: ({ key = '' }) => colorOf('bookingKey', key),
        label: (absence) => {
          const { key } = absence;
          return `${key ? nameOf('bookingKey', key, text.keyOf(key)) : text.noKey}, ${spanOf(absence)}`;
        },
        open: text.open,
        detailsLabel: text.details,
        renderDetails: ({ id, name }, absence, close) => (
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <PersonLink id={id} aria-label={text.toPerson(name)} fw={600}>
                {name}
              </PersonLink>
              <CloseButton size="sm" aria-label={text.close} onClick={close} />
            </Group>
            <Facts
              facts={[
                [text.dates, spanOf(absence)],
                [text.key, absence.key ? <LabelText key="key" kind="bookingKey" id={absence.key} /> : text.noKey],
                [
                  text.amount,
                  absence.amount === undefined ? text.noAmount : `${format.number(absence.amount)} (${text.noUnit})`,
                ],
              ]}
            />
          </Stack>
        ),
      }}
    />
  );
}

const WEEK = 7;
/** A shorter piece of a week belongs to its neighbour, so that its date has room. */
const MIN_DAYS = 5;

type DayHeaderProps = Pick<AbsencesTimelineProps, 'counted' | 'from' | 'to' | 'day' | 'chooseDay'>;

/** The days of a time range as buttons. They choose the day on which people are away. In a long range, weeks share one. */
function DayHeader({ counted, from, to, day: chosen, chooseDay }: DayHeaderProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const first = dayNumber(from);
  const days = dayNumber(to) - first + 1;
  const byWeek = days > MAX_WIDE_DAYS;
  const starts = byWeek ? weekStarts(first, days) : Array.from({ length: days }, (_, day) => day);
  const counts = starts.map((start) => (byWeek ? 0 : awayOn(counted, dateOf(first + start)).length));
  const current = Math.min(Math.max(dayNumber(chosen ?? today()) - first, 0), days - 1);
  const reachable = starts.findLastIndex((start) => start <= current);

  return (
    <div className={classes['days']}>
      {starts.map((start, index) => {
        const length = (starts[index + 1] ?? days) - start;
        const date = dateOf(first + start);
        const isToday = !byWeek && date === today();
        const count = counts[index] ?? 0;
        // A click in a week chooses the day below the pointer, and the keyboard its first day.
        const onClick = ({ detail, clientX, currentTarget }: MouseEvent<HTMLElement>): void => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const offset = detail === 0 ? 0 : Math.floor(((clientX - left) / width) * length);
          const day = dateOf(first + start + Math.min(Math.max(offset, 0), length - 1));
          chooseDay(day === chosen ? undefined : day);
        };
        return (
          <UnstyledButton
            key={date}
            className={`${classes['day']} ${byWeek ? classes['week'] : ''}`}
            style={{ flexGrow: length }}
            tabIndex={index === reachable ? 0 : -1}
            aria-pressed={chosen !== undefined && index === reachable}
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
                  <span className={classes['weekday']}>{format.dayOfWeek(date).slice(0, 2)}</span>
                  <span className={isToday ? classes['today'] : undefined}>{Number(date.slice(-2))}</span>
                  <span className={classes['count']}>{count > 0 ? format.number(count) : '·'}</span>
                </>
              )}
            </span>
          </UnstyledButton>
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
  const monday = (WEEK - weekdayOf(dateOf(first))) % WEEK;
  const mondays = Array.from({ length: Math.ceil((days - monday) / WEEK) }, (_, week) => monday + week * WEEK);
  const starts = mondays.filter((start) => start >= MIN_DAYS && days - start >= MIN_DAYS);
  // What is before the first Monday belongs to the first week, if it is short.
  return [0, ...starts];
}
