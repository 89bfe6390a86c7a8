import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { addDays, monthOf } from '../model/calendar.ts';
import { Steps } from '../components/steps.tsx';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { DayStrip } from './day-strip.tsx';
import { messages } from './messages.ts';
import type { Booking, TimeDay } from './time-account.ts';
import { TimeFigures } from './time-figures.tsx';
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
          previous={text.previousDay}
          next={text.nextDay}
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
          hidesCaption
          isFramed
          minWidth={0}
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
