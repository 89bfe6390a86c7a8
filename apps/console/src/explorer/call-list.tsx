import { Group, SegmentedControl, Stack, Switch, Table, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { LoggedCall } from '../server/call-log.ts';
import { bff } from '../web/bff.ts';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import { Empty } from '../web/page.tsx';
import { messages } from './messages.ts';
import { RequestId, StatusText } from './request-id.tsx';

const REFRESH_MS = 3000;

/** The last calls of the console. They are read again every few seconds, unless the person pauses that. */
export function CallList({ calls }: { readonly calls: readonly LoggedCall[] }): ReactNode {
  const text = useMessages(messages);
  const [isLive, setLive] = useState(true);
  const [which, setWhich] = useState<'all' | 'failed'>('all');
  const { data } = useQuery({
    queryKey: ['explorer/calls'],
    queryFn: () => bff.get<readonly LoggedCall[]>('explorer/calls', {}, true),
    initialData: calls,
    refetchInterval: isLive ? REFRESH_MS : false,
    gcTime: 0,
  });
  const shown = which === 'all' ? data : data.filter(({ status }) => status === undefined || status >= 400);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={text.filter}
          value={which}
          onChange={(value) => setWhich(value)}
          data={[
            { value: 'all', label: text.all },
            { value: 'failed', label: text.failed },
          ]}
        />
        <Switch label={text.live} checked={isLive} onChange={({ currentTarget }) => setLive(currentTarget.checked)} />
      </Group>
      {shown.length > 0 ? (
        <CallTable calls={shown} />
      ) : (
        <Empty icon={<IconListCheck size={28} />} title={which === 'all' ? text.noCalls : text.noFailedCalls}>
          {which === 'failed' && text.noFailedCallsNote}
        </Empty>
      )}
      <Text c="dimmed" size="sm">
        {text.callsNote}
      </Text>
    </Stack>
  );
}

function CallTable({ calls }: { readonly calls: readonly LoggedCall[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Table.ScrollContainer minWidth={940} className="panel">
      <Table captionSide="top" highlightOnHover>
        <Table.Caption
          style={{ position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' }}
        >
          {text.callsCaption}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.time}</Table.Th>
            <Table.Th scope="col">{text.status}</Table.Th>
            <Table.Th scope="col">{text.operation}</Table.Th>
            <Table.Th scope="col">{text.call}</Table.Th>
            <Table.Th scope="col" ta="right">
              {text.duration}
            </Table.Th>
            <Table.Th scope="col">{text.requestId}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {calls.map(({ number, at, status, operation, method, path, durationMs, requestId }) => (
            <Table.Tr key={number}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.shortInstant(at)}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <StatusText status={status} />
              </Table.Td>
              <Table.Td>{operation}</Table.Td>
              <Table.Td ff="monospace">{`${method} ${path}`}</Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {text.milliseconds(format.number(Math.round(durationMs)))}
              </Table.Td>
              <Table.Td>{requestId !== undefined && <RequestId id={requestId} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
