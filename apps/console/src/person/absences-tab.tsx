import type { Absence } from '@hr/client';
import { Anchor, Badge, Stack, Table } from '@mantine/core';
import { IconBeach } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
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
    <Stack gap={0}>
      <ScrollTable
        caption={text.caption}
        minWidth={420}
        columns={[text.start, text.end, text.key, text.amount]}
        numbers={[text.amount]}
        note={
          <>
            {text.note} {more}
          </>
        }
      >
        {absences.map(({ id, startDate, endDate, key, amount }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row" fw={500}>
              {format.date(startDate)}
            </Table.Th>
            <Table.Td>{endDate ? format.date(endDate) : <Badge>{text.open}</Badge>}</Table.Td>
            <Table.Td>{key ?? DASH}</Table.Td>
            <Table.Td ta="right">{format.number(amount ?? undefined)}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </Stack>
  );
}
