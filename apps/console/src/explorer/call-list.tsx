import {
  ActionIcon,
  Box,
  CopyButton,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Switch,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck, IconCopy, IconListCheck, IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { LoggedCall } from '../backend/call-log.ts';
import { Empty, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';

const REFRESH_MS = 3000;

/** The last calls of the console. They are read again every few seconds, unless the person pauses that. */
export function CallList(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [isLive, setLive] = useState(true);
  const [which, setWhich] = useState<'all' | 'failed'>('all');
  const query = useScreen<readonly LoggedCall[]>(
    'explorer/calls',
    {},
    { kinds: [], rereadIn: () => isLive && REFRESH_MS },
  );
  const isShown = ({ status }: LoggedCall): boolean => which === 'all' || status === undefined || status >= 400;
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
      <ScreenState query={query} skeleton={<Skeleton h={480} />}>
        {(calls) =>
          calls.some(isShown) ? (
            <ScrollTable
              caption={text.tabs.calls}
              hidesCaption
              minWidth={940}
              rows={calls.filter(isShown)}
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
                  render: ({ durationMs }) => `${format.number(Math.round(durationMs))} ms`,
                },
                {
                  header: text.requestId,
                  render: ({ requestId }) => (
                    <Box maw={170}>{requestId !== undefined && <RequestId id={requestId} />}</Box>
                  ),
                },
              ]}
            />
          ) : (
            <Empty icon={<IconListCheck size={28} />} title={which === 'all' ? text.noCalls : text.noFailedCalls} />
          )
        }
      </ScreenState>
      <Text c="dimmed" size="sm">
        {text.callsNote}
      </Text>
    </Stack>
  );
}
/** The service's id of a request, which an operator finds in the log, with a button that copies it. */
export function RequestId({ id }: { readonly id: string }): ReactNode {
  const text = useMessages(messages);
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed" ff="monospace" truncate title={id}>
        {id}
      </Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <>
            <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={text.copyRequestId}>
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
            {/* A list has hundreds of them: an alert is announced without a live region that waits for it. */}
            {copied && <VisuallyHidden role="alert">{text.requestIdCopied}</VisuallyHidden>}
          </>
        )}
      </CopyButton>
    </Group>
  );
}

const sign = { size: 14, stroke: 2.5, style: { verticalAlign: '-2px' }, 'aria-hidden': true };

/** The status of a response. A failure has a sign beside its colour. */
export function StatusText({ status }: { readonly status: number | undefined }): ReactNode {
  const text = useMessages(messages);
  const isOk = status !== undefined && status < 400;
  return (
    <Text component="span" fw={600} c={isOk ? 'var(--mantine-color-text)' : 'var(--mantine-color-error)'}>
      {isOk ? <IconCheck {...sign} /> : <IconX {...sign} />} {status ?? text.noResponse}
    </Text>
  );
}
