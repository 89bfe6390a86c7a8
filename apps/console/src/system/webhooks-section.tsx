import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconWebhookOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, useScreen, type BffError } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Failure, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import type { WebhookChange, WebhookRow } from './system-routes.ts';

const PATH = 'system/webhooks';

/** Where clients hear of changes, and whether they do. */
export function WebhooksSection(): ReactNode {
  const query = useScreen<readonly WebhookRow[]>(PATH);
  const { webhooks: text } = useMessages(messages);
  return (
    <ScreenState query={query} skeleton={<Skeleton h={240} />}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon={<IconWebhookOff size={32} />} title={text.none}>
            {text.noneText}
          </Empty>
        ) : (
          <Endpoints rows={rows} />
        )
      }
    </ScreenState>
  );
}

function Endpoints({ rows }: { readonly rows: readonly WebhookRow[] }): ReactNode {
  const { webhooks: text, audit, tabs } = useMessages(messages);
  const format = useFormat();
  const isOperator = useRole('operator');
  return (
    <ScrollTable
      caption={tabs.webhooks}
      hidesCaption
      minWidth={880}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          header: audit.actor,
          render: ({ clientId, clientName }) => (
            <>
              {clientName}
              <Detail>{clientId}</Detail>
            </>
          ),
        },
        {
          header: text.address,
          render: ({ id, origin }) => (
            <>
              {origin}
              <Detail>{id}</Detail>
            </>
          ),
        },
        { header: text.state, render: (row) => <State row={row} /> },
        {
          header: text.lastAttempt,
          render: ({ lastDelivery: last }) => (
            <>
              {format.shortInstant(last?.sentAt)}
              {last && <Detail>{last.status ?? text.noResponse(last.failure)}</Detail>}
            </>
          ),
        },
        { header: text.actions, render: (row) => isOperator && <Actions row={row} /> },
      ]}
    />
  );
}

function State({ row: { pausedAt, failingSince } }: { readonly row: WebhookRow }): ReactNode {
  const text = useMessages(messages).webhooks;
  const format = useFormat();
  const since = pausedAt ?? failingSince;
  const state = since === undefined ? 'active' : pausedAt === undefined ? 'failing' : 'paused';
  return (
    <>
      <span style={{ color: state === 'failing' ? 'var(--mantine-color-error)' : undefined }}>
        {text.states[state]}
      </span>
      {since && <Detail>{text.since(format.shortInstant(since))}</Detail>}
    </>
  );
}

function Detail({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Text size="xs" c="dimmed" maw={170} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

function Actions({ row: { id, origin, clientName, pausedAt, failingSince } }: { readonly row: WebhookRow }): ReactNode {
  const { webhooks: text, grants } = useMessages(messages);
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, isPending, error } = useMutation<void, BffError, WebhookChange['change']>({
    mutationFn: (change) => bff.post(PATH, { id, change }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [PATH] });
      setIsAsking(false);
    },
  });
  const button = (label: string, act: () => void): ReactNode => (
    <Button variant="default" size="compact-xs" disabled={isPending} aria-label={`${label}: ${origin}`} onClick={act}>
      {label}
    </Button>
  );
  return (
    <Stack gap="xs">
      <Group gap={6} wrap="nowrap">
        {pausedAt === undefined
          ? button(text.pause, () => mutate('pause'))
          : button(text.resume, () => mutate('resume'))}
        {pausedAt === undefined && failingSince !== undefined && button(text.tryNow, () => mutate('resume'))}
        {button(text.remove, () => setIsAsking(true))}
      </Group>
      {error && <Failure error={error} />}
      {isAsking && (
        <Dialog title={text.removeTitle(origin)} close={() => setIsAsking(false)}>
          <Text>{text.removeText(clientName)}</Text>
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => setIsAsking(false)} data-autofocus>
              {grants.cancel}
            </Button>
            <Button loading={isPending} onClick={() => mutate('remove')}>
              {text.remove}
            </Button>
          </Group>
        </Dialog>
      )}
    </Stack>
  );
}
