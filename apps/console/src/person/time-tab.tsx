import { Anchor, Stack, Table } from '@mantine/core';
import { IconClockOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import { messages } from './messages.ts';
import type { DayTimes } from './person-routes.ts';
import { ScrollTable } from '../components/scroll-table.tsx';

/** The last days of a person's time account. */
export function TimeTab({
  personId,
  days,
}: {
  readonly personId: string;
  readonly days: readonly DayTimes[];
}): ReactNode {
  const { time: text } = useMessages(messages);
  const format = useFormat();
  const minutes = (value: number | undefined): string => (value === undefined ? DASH : format.minutes(value));
  const more = (
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link {...props} to="/time" search={{ person: personId }} />}
    >
      {text.more}
    </Anchor>
  );
  if (days.length === 0) {
    return (
      <Empty icon={<IconClockOff size={32} />} title={text.empty}>
        {text.emptyHelp} {more}
      </Empty>
    );
  }
  return (
    <Stack gap={0}>
      <ScrollTable
        caption={text.caption(format.number(days.length))}
        minWidth={560}
        columns={[text.date, text.target, text.booked, text.chargeable, text.bookings]}
        numbers={[text.target, text.booked, text.chargeable]}
        note={more}
      >
        {days.map(({ date, target, booked, chargeable, bookings }) => (
          <Table.Tr key={date}>
            <Table.Th scope="row" fw={500}>
              {format.weekday(date)}
            </Table.Th>
            <Table.Td ta="right">{minutes(target)}</Table.Td>
            <Table.Td ta="right">{minutes(booked)}</Table.Td>
            <Table.Td ta="right">{minutes(chargeable)}</Table.Td>
            <Table.Td style={{ whiteSpace: 'normal' }}>
              {bookings.map(({ time, key }) => `${time} ${key}`).join(' · ') || DASH}
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Stack>
  );
}
