import { Anchor } from '@mantine/core';
import { IconClockOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import { messages } from './messages.ts';
import type { DayTimes } from './person-routes.ts';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';

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
  const { nameOf } = useLabels();
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
    <ScrollTable
      caption={text.caption(format.number(days.length))}
      minWidth={560}
      rows={days}
      keyOf={({ date }) => date}
      columns={[
        { header: text.date, render: ({ date }) => format.weekday(date) },
        ...(['target', 'booked', 'chargeable'] as const).map((name): TableColumn<DayTimes> => ({
          header: text[name],
          figures: 'end',
          render: ({ [name]: value }) => (value === undefined ? DASH : format.minutes(value)),
        })),
        {
          header: text.bookings,
          render: ({ bookings }) => (
            <span style={{ whiteSpace: 'normal' }}>
              {bookings.map(({ time, key }) => `${time} ${nameOf('bookingKey', key)}`).join(' · ') || DASH}
            </span>
          ),
        },
      ]}
      note={more}
    />
  );
}
