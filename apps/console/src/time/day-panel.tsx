import { ActionIcon, Box, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { addDays } from '../model/calendar.ts';
import { DayStrip } from './day-strip.tsx';
import { messages } from './messages.ts';
import type { TimeDay } from './time-account.ts';
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
  const month = date.slice(0, -3);
  const neighbours = [
    { to: addDays(date, -1), label: text.previousDay, Icon: IconChevronLeft },
    { to: addDays(date, 1), label: text.nextDay, Icon: IconChevronRight },
  ];
  return (
    <Box component="section" className="panel" p="md" aria-label={text.day}>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2} aria-live="polite">
          {format.weekday(date)}
        </Title>
        <Group gap={4} wrap="nowrap">
          {neighbours.map(({ to, label, Icon }) => (
            <ActionIcon
              key={to}
              variant="default"
              aria-label={label}
              disabled={!to.startsWith(month)}
              onClick={() => onDay(to)}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
        </Group>
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
        <Table verticalSpacing={4} aria-label={text.bookings}>
          <Table.Thead>
            <Table.Tr>
              {hasOtherDate && <Table.Th scope="col">{text.otherDate}</Table.Th>}
              <Table.Th scope="col">{text.clock}</Table.Th>
              <Table.Th scope="col">{text.key}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {day.bookings.map(({ time, key, date }, index) => (
              // Two bookings may have the same time and key.
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={index}>
                {hasOtherDate && <Table.Td>{format.date(date ?? day.date)}</Table.Td>}
                <Table.Td>{time}</Table.Td>
                <Table.Td>{key}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Text size="xs" c="dimmed">
        {text.keyNote}
      </Text>
    </Stack>
  );
}
