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
import type { WebhookChange, WebhooksSection as Data } from './system-routes.ts';

const PATH = 'system/webhooks';

/** Where clients hear of changes, and whether they do. */
export function WebhooksSection(): ReactNode {
  const query = useScreen<Data>(PATH);
  const { webhooks: text, audit, tabs } = useMessages(messages);
  const format = useFormat();
  const isOperator = useRole('operator');
  return (
    <ScreenState query={query} skeleton={<Skeleton h={240} />}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon={<IconWebhookOff size={32} />} title={text.none}>
            {text.noneText}
          </Empty>
        ) : (
          <ScrollTable
            caption={tabs.webhooks}
            hidesCaption
            minWidth={880}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                header: audit.actor,
                render: ({ clientId, clientName }) => <Detailed detail={clientId}>{clientName}</Detailed>,
              },
              { header: text.address, render: ({ id, origin }) => <Detailed detail={id}>{origin}</Detailed> },
              {
                header: text.state,
                render: ({ pausedAt, failingSince }) => {
                  const since = pausedAt ?? failingSince;
                  const isFailing = pausedAt === undefined && failingSince !== undefined;
                  const state = isFailing ? 'failing' : since === undefined ? 'active' : 'paused';
                  return (
                    <Detailed detail={since && text.since(format.shortInstant(since))}>
                      <span style={{ color: isFailing ? 'var(--mantine-color-error)' : undefined }}>
                        {text.states[state]}
                      </span>
                    </Detailed>
                  );
                },
              },
              {
                header: text.lastAttempt,
                render: ({ lastDelivery: last }) => (
                  <Detailed detail={last && (last.status ?? text.noResponse(last.failure))}>
                    {format.shortInstant(last?.sentAt)}
                  </Detailed>
                ),
              },
              { header: text.actions, render: (row) => isOperator && <Actions row={row} /> },
            ]}
          />
        )
      }
    </ScreenState>
  );
}

/** A value above what says more of it. */
function Detailed({ detail, children }: { readonly detail: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <>
      {children}
      {detail !== undefined && (
        <Text size="xs" c="dimmed" maw={170} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </>
  );
}

function Actions({
  row: { id, origin, clientName, pausedAt, failingSince },
}: {
  readonly row: Data[number];
}): ReactNode {
  const text = useMessages(messages).webhooks;
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
    <Button variant="default" size="compact-sm" disabled={isPending} aria-label={`${label}: ${origin}`} onClick={act}>
      {label}
    </Button>
  );
  const isPaused = pausedAt !== undefined;
  return (
    <Stack gap="xs">
      <Group gap={6} wrap="nowrap">
        {button(isPaused ? text.resume : text.pause, () => mutate(isPaused ? 'resume' : 'pause'))}
        {!isPaused && failingSince !== undefined && button(text.tryNow, () => mutate('resume'))}
        {button(text.remove, () => setIsAsking(true))}
      </Group>
      {error && <Failure error={error} />}
      {isAsking && (
        <Dialog
          title={text.removeTitle(origin)}
          close={() => setIsAsking(false)}
          action={{ label: text.remove, run: () => mutate('remove'), isBusy: isPending }}
        >
          <Text>{text.removeText(clientName)}</Text>
        </Dialog>
      )}
    </Stack>
  );
}
