import { Alert, Badge, Button, Checkbox, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconDatabaseOff, IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Collection, CollectionStatus, SyncRun } from '@hr/client/mirror';
import { bff, useScreen, type BffError } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Failure, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import type { SyncAction, SyncCounts, SyncJob } from './sync-jobs.ts';
import type { SyncSection as Data } from './system-routes.ts';
import styles from './system.module.css';

const PROGRESS_MS = 500;
const isRunning = (job: SyncJob | undefined): boolean => job !== undefined && job.endedAt === undefined;

/** The state of the local copy, and how it was read. */
export function SyncSection(): ReactNode {
  const query = useScreen<Data>(
    'system/sync',
    {},
    { rereadIn: ({ jobs }) => Object.values(jobs).some(isRunning) && PROGRESS_MS },
  );
  const outlines = [1, 2, 3].map((card) => <Skeleton key={card} h={212} />);
  return (
    <ScreenState query={query} skeleton={<div className={styles['cards']}>{outlines}</div>}>
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

interface CollectionCardProps {
  readonly status: CollectionStatus;
  readonly job: SyncJob | undefined;
}

function CollectionCard({ status, job }: CollectionCardProps): ReactNode {
  const { collection, rows, syncedAt, fullSyncedAt } = status;
  const text = useMessages(messages).sync;
  const format = useFormat();
  const isOperator = useRole('operator');
  const client = useQueryClient();
  /** What the dialog asks before everything is read again. */
  const [asked, setAsked] = useState<{ readonly anyShrink: boolean }>();
  const start = useMutation<void, BffError, { action: SyncAction; anyShrink?: boolean }>({
    mutationFn: (what) => bff.post('system/sync', { collection, ...what }),
    onSettled: () => client.invalidateQueries({ queryKey: ['system/sync'] }),
  });
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
        <Facts
          facts={[
            [text.syncedAt, format.shortInstant(syncedAt)],
            [text.fullSyncedAt, format.shortInstant(fullSyncedAt)],
          ]}
        />
        {isOperator && (
          <Group gap="xs">
            {(Object.keys(text.actions) as SyncAction[]).map((action) => (
              <Button
                key={action}
                variant="default"
                size="xs"
                disabled={start.isPending || isRunning(job)}
                onClick={() => (action === 'full' ? setAsked({ anyShrink: false }) : start.mutate({ action }))}
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
      {asked && (
        <Dialog
          title={`${text.actions.full}: ${text.collections[collection]}`}
          close={() => setAsked(undefined)}
          action={{
            label: text.actions.full,
            run: () => {
              setAsked(undefined);
              start.mutate({ action: 'full', ...asked });
            },
          }}
        >
          <Stack>
            <Text>{text.fullText}</Text>
            <Checkbox
              checked={asked.anyShrink}
              onChange={({ currentTarget }) => setAsked({ anyShrink: currentTarget.checked })}
              label={text.anyShrink}
              description={text.anyShrinkText}
            />
          </Stack>
        </Dialog>
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
function JobState({ collection, job, rows }: JobStateProps): ReactNode {
  const { action, done, total, endedAt, result, error } = job;
  const text = useMessages(messages).sync;
  const format = useFormat();
  const outcomeOf = useOutcome();
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
        {at + outcomeOf({ error })}
      </Alert>
    );
  }
  if (action === 'drift') return <Drift {...{ collection, at, result }} />;
  return <Text c="dimmed">{at + outcomeOf(result)}</Text>;
}

interface DriftProps {
  readonly collection: Collection;
  /** When it was found, before a text. */
  readonly at: string;
  readonly result: SyncCounts;
}

/** What differs between the local copy and the service. */
function Drift({ collection, at, result }: DriftProps): ReactNode {
  const { sync: text, rest } = useMessages(messages);
  const format = useFormat();
  const { added, changed, deleted, erased, unchanged, differences } = result;
  const total = added + changed + deleted + erased;
  if (total === 0) {
    return (
      <Alert variant="outline" icon={<IconCircleCheck />}>
        {at + text.noDrift(format.number(unchanged))}
      </Alert>
    );
  }
  const title = at + text.drift(format.number(total));
  return (
    <Alert variant="outline" color="yellow" icon={<IconInfoCircle />} title={title}>
      <Stack gap="xs">
        <Text>{text.driftText}</Text>
        <div className={styles['differences']}>
          <ScrollTable
            caption={text.difference}
            hidesCaption
            minWidth={0}
            rows={differences}
            keyOf={({ id }) => id}
            columns={[
              {
                header: text.id,
                render: ({ id }) =>
                  collection === 'persons' ? (
                    <Link className={styles['link']} to="/people/$personId" params={{ personId: id }}>
                      {id}
                    </Link>
                  ) : (
                    id
                  ),
              },
              { header: text.difference, render: ({ kind }) => text.kinds[kind] },
              { header: text.fields, render: ({ kind, fields }) => (kind === 'added' ? '' : fields.join(', ')) },
            ]}
          />
        </div>
        {total > differences.length && <Text c="dimmed">{rest(format.number(total - differences.length))}</Text>}
      </Stack>
    </Alert>
  );
}

function Runs({ runs }: { readonly runs: readonly SyncRun[] }): ReactNode {
  const text = useMessages(messages).sync;
  const format = useFormat();
  const outcomeOf = useOutcome();
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
            render: (run) => (
              <>
                {run.error !== undefined && (
                  <Badge variant="outline" color="red" mr="xs">
                    {text.failed}
                  </Badge>
                )}
                {outcomeOf(run)}
              </>
            ),
          },
          { header: text.duration, figures: 'end', render: ({ durationMs }) => `${format.number(durationMs)} ms` },
        ]}
      />
    </Stack>
  );
}

const changeKinds = ['added', 'changed', 'deleted', 'erased'] as const;
type Outcome = Partial<Pick<SyncCounts, (typeof changeKinds)[number]>> & { readonly error?: string | undefined };

/** Returns a function for the text of what a run changed, or why it failed. */
function useOutcome(): (outcome: Outcome) => string {
  const text = useMessages(messages).sync;
  const format = useFormat();
  const errors: Readonly<Record<string, string>> = text.errors;
  return ({ error, ...counts }) => {
    if (error !== undefined) return errors[error] ?? error;
    const changes = changeKinds
      .filter((kind) => counts[kind])
      .map((kind) => text.counts[kind](format.number(counts[kind])));
    return changes.join(', ') || text.noChanges;
  };
}
