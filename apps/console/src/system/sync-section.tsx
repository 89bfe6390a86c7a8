import { Alert, Badge, Button, Checkbox, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDatabaseOff } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Collection, CollectionStatus, SyncRun } from '@hr/client/mirror';
import { bff, BffError, useScreen } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Failure, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useRole } from '../shell/session.ts';
import { DriftReport } from './drift-report.tsx';
import { syncMessages } from './sync-messages.ts';
import type { Drift, SyncSection as Data } from './system-routes.ts';
import styles from './system.module.css';

/** The state of the local copy, and how it was read. */
export function SyncSection(): ReactNode {
  const query = useScreen<Data>('system/sync');
  return (
    <ScreenState query={query} skeleton={<SyncSkeleton />}>
      {({ collections, runs }) => (
        <Stack gap="xl">
          <div className={styles['cards']}>
            {collections.map((status) => (
              <CollectionCard key={status.collection} status={status} />
            ))}
          </div>
          <Runs runs={runs} />
        </Stack>
      )}
    </ScreenState>
  );
}

function SyncSkeleton(): ReactNode {
  return (
    <Stack gap="xl">
      <div className={styles['cards']}>
        {['persons', 'bookings', 'absences'].map((name) => (
          <Skeleton key={name} h={212} />
        ))}
      </div>
      <Skeleton h={320} />
    </Stack>
  );
}

type Action = 'changes' | 'drift' | 'full';

function CollectionCard({ status }: { readonly status: CollectionStatus }): ReactNode {
  const { collection, rows, syncedAt, fullSyncedAt } = status;
  const text = useMessages(syncMessages);
  const format = useFormat();
  const isOperator = useRole('operator');
  const [running, setRunning] = useState<Action | undefined>();
  const [result, setResult] = useState<Drift | string | BffError | undefined>();
  const [isAsking, setIsAsking] = useState(false);

  function run(action: Action, work: () => Promise<Drift | string>): void {
    setRunning(action);
    setResult(undefined);
    void work()
      .catch((error: unknown) => error as BffError)
      .then(setResult)
      .finally(() => setRunning(undefined));
  }
  const counts = async (path: string, body: object): Promise<string> =>
    text.done(await bff.post<SyncRun>(path, { collection, ...body }), (value) => format.number(value));
  const button = (action: Action, work: () => void): ReactNode => (
    <Button
      variant="default"
      size="xs"
      loading={running === action}
      disabled={running !== undefined && running !== action}
      onClick={work}
    >
      {text.actions[action]}
    </Button>
  );

  return (
    <section className="panel" aria-labelledby={`collection-${collection}`}>
      <Stack p="md" gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} id={`collection-${collection}`}>
            {text.collections[collection]}
          </Title>
          <Text fw={600} size="lg">
            {format.number(rows)}
          </Text>
        </Group>
        <dl className={styles['facts']}>
          <dt>{text.syncedAt}</dt>
          <dd>{format.shortInstant(syncedAt)}</dd>
          <dt>{text.fullSyncedAt}</dt>
          <dd>{format.shortInstant(fullSyncedAt)}</dd>
        </dl>
        {isOperator && (
          <Group gap="xs">
            {button('changes', () => run('changes', async () => await counts('system/sync', {})))}
            {button('drift', () => run('drift', async () => await bff.post<Drift>('system/drift', { collection })))}
            {button('full', () => setIsAsking(true))}
          </Group>
        )}
        <div aria-live="polite" className={styles['result']}>
          {typeof result === 'string' && <Text c="dimmed">{result}</Text>}
          {result instanceof BffError && <SyncFailure error={result} />}
          {typeof result === 'object' && 'differences' in result && <DriftReport drift={result} />}
        </div>
      </Stack>
      {isAsking && (
        <FullSyncDialog
          collection={collection}
          close={() => setIsAsking(false)}
          start={(anyShrink) => run('full', async () => await counts('system/full-sync', { anyShrink }))}
        />
      )}
    </section>
  );
}

function SyncFailure({ error }: { readonly error: BffError }): ReactNode {
  const text = useMessages(syncMessages);
  if (!error.problem.errors?.some(({ code }) => code === 'list-too-short')) return <Failure error={error} />;
  return (
    <Alert role="alert" color="red" variant="outline">
      {text.errors['list-too-short']}
    </Alert>
  );
}

interface FullSyncDialogProps {
  readonly collection: Collection;
  readonly close: () => void;
  readonly start: (anyShrink: boolean) => void;
}

function FullSyncDialog({ collection, close, start }: FullSyncDialogProps): ReactNode {
  const text = useMessages(syncMessages);
  const [anyShrink, setAnyShrink] = useState(false);
  return (
    <Dialog title={text.fullTitle(text.collections[collection])} close={close}>
      <Stack>
        <Text>{text.fullText}</Text>
        <Checkbox
          checked={anyShrink}
          onChange={({ currentTarget }) => setAnyShrink(currentTarget.checked)}
          label={text.anyShrink}
          description={text.anyShrinkText}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {text.cancel}
          </Button>
          <Button
            onClick={() => {
              close();
              start(anyShrink);
            }}
          >
            {text.actions.full}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Runs({ runs }: { readonly runs: readonly SyncRun[] }): ReactNode {
  const text = useMessages(syncMessages);
  const format = useFormat();
  if (runs.length === 0) {
    return (
      <Empty icon={<IconDatabaseOff size={32} />} title={text.noRuns}>
        {text.noRunsText}
      </Empty>
    );
  }
  return (
    <Stack gap="xs">
      <Title order={2}>{text.runs}</Title>
      <ScrollTable
        caption={text.runs}
        hidesCaption
        minWidth={640}
        rows={runs}
        columns={[
          { header: text.startedAt, render: ({ startedAt }) => format.shortInstant(startedAt) },
          { header: text.collection, render: ({ collection }) => text.collections[collection] },
          { header: text.kind, render: ({ full }) => (full ? text.full : text.changes) },
          {
            header: text.result,
            render: (run) =>
              run.error === undefined ? (
                text.done(run, (value) => format.number(value))
              ) : (
                <Group gap="xs" wrap="nowrap">
                  <Badge variant="outline" color="red">
                    {text.failed}
                  </Badge>
                  {errorText(text.errors, run.error)}
                </Group>
              ),
          },
          {
            header: text.duration,
            figures: 'end',
            render: ({ durationMs }) => text.milliseconds(format.number(durationMs)),
          },
        ]}
      />
    </Stack>
  );
}

function errorText(errors: Readonly<Record<string, string>>, code: string): string {
  return errors[code] ?? code;
}
