import { Alert, Badge, Button, Checkbox, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDatabaseOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Collection, CollectionStatus, SyncRun } from '@hr/client/mirror';
import { bff, useScreen, type BffError } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Failure, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useRole } from '../shell/session.ts';
import { DriftReport } from './drift-report.tsx';
import { syncMessages } from './sync-messages.ts';
import type { SyncAction, SyncJob } from './sync-jobs.ts';
import type { SyncSection as Data } from './system-routes.ts';
import styles from './system.module.css';

const PROGRESS_MS = 500;

/** The state of the local copy, and how it was read. */
export function SyncSection(): ReactNode {
  const query = useScreen<Data>('system/sync', {}, { rereadIn: ({ jobs }) => isRunning(jobs) && PROGRESS_MS });
  return (
    <ScreenState query={query} skeleton={<SyncSkeleton />}>
      {({ collections, runs, jobs }) => (
        <Stack gap="xl">
          <div className={styles['cards']}>
            {collections.map((status) => (
              <CollectionCard key={status.collection} status={status} job={jobs[status.collection]} />
            ))}
          </div>
          <Runs runs={runs} />
        </Stack>
      )}
    </ScreenState>
  );
}

function isRunning(jobs: Data['jobs']): boolean {
  return Object.values(jobs).some(({ endedAt }) => endedAt === undefined);
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

interface CollectionCardProps {
  readonly status: CollectionStatus;
  readonly job: SyncJob | undefined;
}

function CollectionCard({ status, job }: CollectionCardProps): ReactNode {
  const { collection, rows, syncedAt, fullSyncedAt } = status;
  const text = useMessages(syncMessages);
  const format = useFormat();
  const isOperator = useRole('operator');
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const start = useMutation<void, BffError, { action: SyncAction; anyShrink?: boolean }>({
    mutationFn: (what) => bff.post('system/sync', { collection, ...what }),
    onSettled: () => client.invalidateQueries({ queryKey: ['system/sync'] }),
  });
  const isBusy = start.isPending || (job !== undefined && job.endedAt === undefined);

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
            {(['changes', 'drift', 'full'] as const).map((action) => (
              <Button
                key={action}
                variant="default"
                size="xs"
                disabled={isBusy}
                onClick={() => (action === 'full' ? setIsAsking(true) : start.mutate({ action }))}
              >
                {text.actions[action]}
              </Button>
            ))}
          </Group>
        )}
        <div aria-live="polite" className={styles['result']}>
          {start.error ? <Failure error={start.error} /> : job && <JobState {...{ collection, job, rows }} />}
        </div>
      </Stack>
      {isAsking && (
        <FullSyncDialog
          collection={collection}
          close={() => setIsAsking(false)}
          start={(anyShrink) => start.mutate({ action: 'full', anyShrink })}
        />
      )}
    </section>
  );
}

interface JobStateProps {
  readonly collection: Collection;
  readonly job: SyncJob;
  /** Of the local copy. */
  readonly rows: number;
}

/** How far a job is, or what came out. */
function JobState({
  collection,
  job: { action, done, total, endedAt, result, error },
  rows,
}: JobStateProps): ReactNode {
  const text = useMessages(syncMessages);
  const format = useFormat();
  if (endedAt === undefined) {
    // A list does not say how long it is. Changes are few.
    const expected = total ?? (action === 'changes' ? undefined : Math.max(rows, done));
    return (
      <>
        <Text c="dimmed">
          {text.running[action]}{' '}
          <span aria-hidden>
            {expected === undefined ? format.number(done) : text.progress(format.number(done), format.number(expected))}
          </span>
        </Text>
        {expected !== undefined && (
          <Progress value={(done / Math.max(expected, 1)) * 100} aria-label={text.running[action]} />
        )}
      </>
    );
  }
  const at = `${format.shortInstant(endedAt)}: `;
  if (error !== undefined || result === undefined) {
    return (
      <Alert role="alert" color="red" variant="outline" title={text.failedActions[action]}>
        {at + errorText(text.errors, error ?? 'unknown')}
      </Alert>
    );
  }
  if (action === 'drift') return <DriftReport {...{ collection, at, result }} />;
  return <Text c="dimmed">{at + text.done(result, (value) => format.number(value))}</Text>;
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
