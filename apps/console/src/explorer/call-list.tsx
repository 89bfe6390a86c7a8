import { Box, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { LoggedCall } from '../backend/call-log.ts';
import { bff } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
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
    <ScrollTable
      caption={text.callsCaption}
      hidesCaption
      minWidth={940}
      rows={calls}
      keyOf={({ number }) => number}
      columns={[
        { header: text.time, render: ({ at }) => format.shortInstant(at) },
        { header: text.status, render: ({ status }) => <StatusText status={status} /> },
        { header: text.operation, render: ({ operation }) => operation },
        {
          header: text.call,
          render: ({ method, path }) => (
            <Text span inherit ff="monospace">
              {`${method} ${path}`}
            </Text>
          ),
        },
        {
          header: text.duration,
          figures: 'end',
          render: ({ durationMs }) => text.milliseconds(format.number(Math.round(durationMs))),
        },
        {
          header: text.requestId,
          render: ({ requestId }) => <Box maw={170}>{requestId !== undefined && <RequestId id={requestId} />}</Box>,
        },
      ]}
    />
  );
}
