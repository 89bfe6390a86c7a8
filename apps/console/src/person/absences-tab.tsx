import type { Absence } from '@hr/client';
import { Anchor, Badge } from '@mantine/core';
import { IconBeach } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import { messages } from './messages.ts';
import { ScrollTable } from '../components/scroll-table.tsx';

/** The absences of a person. They have no type, and their amounts no unit. */
export function AbsencesTab({ absences }: { readonly absences: readonly Absence[] }): ReactNode {
  const { absences: text } = useMessages(messages);
  const format = useFormat();
  const more = (
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/absences" />}>
      {text.more}
    </Anchor>
  );
  if (absences.length === 0) {
    return (
      <Empty icon={<IconBeach size={32} />} title={text.empty}>
        {text.emptyHelp} {more}
      </Empty>
    );
  }
  return (
    <ScrollTable
      caption={text.caption}
      minWidth={420}
      rows={absences}
      keyOf={({ id }) => id}
      columns={[
        { header: text.start, render: ({ startDate }) => format.date(startDate) },
        { header: text.end, render: ({ endDate }) => (endDate ? format.date(endDate) : <Badge>{text.open}</Badge>) },
        { header: text.key, render: ({ key }) => (key ? <LabelText kind="bookingKey" id={key} /> : DASH) },
        { header: text.amount, figures: 'end', render: ({ amount }) => format.number(amount ?? undefined) },
      ]}
      note={
        <>
          {text.note} {more}
        </>
      }
    />
  );
}
