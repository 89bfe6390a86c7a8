import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { GridOutline } from '../components/grid.tsx';
import { Failure, Page, ScreenState } from '../components/page.tsx';
import { bff, readAgain, usePages, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { useRole, useSession } from '../shell/session.ts';
import type { BatchPage } from './batches.ts';
import { DecideButtons, type Decide } from './decide-buttons.tsx';
import { messages } from './messages.ts';
import { BackButton, Notice, StateBadge, StateFilter } from './payment-parts.tsx';
import { TotalsTable } from './payment-sums.tsx';
import { PaymentTable } from './payment-table.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { Settle } from './settle.tsx';
import { submitMessages } from './submit-messages.ts';

const POLL_MS = 1000;

interface BatchScreenProps {
  readonly id: string;
  readonly decide: Decide;
}

/** A batch: how far it is, its control totals, the decision on it, and its payments. */
export function BatchScreen({ id, decide }: BatchScreenProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [{ state = 'all' }] = usePaymentsSearch();
  const query = usePages<BatchPage>(
    `payments/batches/${id}`,
    { state: state === 'all' ? undefined : state },
    { kinds: ['payments'], rereadIn: ({ isRunning }) => isRunning && POLL_MS },
  );
  const batch = query.data?.pages[0];
  return (
    <Page
      title={batch?.name ?? text.batch}
      isProvisional={batch === undefined}
      description={batch ? `${text.submitter} ${format.list(batch.submitters)}, ${format.instant(batch.at)}` : '\u00A0'}
      actions={<BackButton view="batches" />}
    >
      <ScreenState query={query} skeleton={<GridOutline />}>
        {() => {
          if (batch === undefined) return null;
          const counts = Object.fromEntries(batch.states.map((one) => [one.state, one.payments]));
          return (
            <Stack gap="md">
              <Course batch={batch} unknown={counts['unknown'] ?? 0} />
              <TotalsTable
                caption={text.controlTotals}
                header={text.state}
                rows={batch.states.map((one) => ({
                  key: one.state,
                  label: <StateBadge state={one.state} />,
                  totals: one,
                }))}
                sum={batch.totals}
              />
              <Group gap="xs">
                <Decision batch={batch} decide={decide} />
                <Unsent batch={batch} />
              </Group>
              <StateFilter counts={{ ...counts, all: batch.totals.payments }} state={state} initial="all" />
              <PaymentTable
                query={query}
                count={state === 'all' ? batch.totals.payments : (counts[state] ?? 0)}
                hasState
                isBatch
              />
            </Stack>
          );
        }}
      </ScreenState>
    </Page>
  );
}

/** How far the batch is, and what needs a person. */
function Course({ batch, unknown }: { readonly batch: BatchPage; readonly unknown: number }): ReactNode {
  const text = useMessages(submitMessages);
  const { id, isRunning, states, totals, stop } = batch;
  if (isRunning) {
    const waiting = states.find(({ state }) => state === 'sending')?.payments ?? 0;
    const done = totals.payments - waiting;
    return (
      <div>
        <Text component="output">{text.progress(done, totals.payments)}</Text>
        <Progress value={(done / totals.payments) * 100} aria-label={text.resultTitle} transitionDuration={0} />
      </div>
    );
  }
  return (
    <>
      <Settle state="unknown" count={unknown} of={{ batch: id }} />
      {stop !== undefined && stop !== 'outcome-unknown' && (
        <Notice role="alert" isQuestion>
          {stop === 'all-rejected' ? text.stopRejected : text.stopOther}
        </Notice>
      )}
    </>
  );
}

/** Approves or rejects all payments of the batch that wait. */
function Decision({ batch, decide }: { readonly batch: BatchPage; readonly decide: Decide }): ReactNode {
  const text = useMessages(messages);
  const isApprover = useRole('approver');
  const waiting = batch.states.find(({ state }) => state === 'submitted');
  if (waiting === undefined || batch.isRunning || !isApprover) return null;
  if (batch.bar) return <Notice title={text.barTitle}>{text.bars[batch.bar]}</Notice>;
  return <DecideButtons chosen={{ batch: batch.id, waiting }} decide={decide} />;
}

/** What to do with payments that were refused or not sent: only the person who submitted the batch decides that. */
function Unsent({ batch: { id, unsent, submitters, isRunning, states } }: { readonly batch: BatchPage }): ReactNode {
  const text = useMessages(submitMessages);
  const { user } = useSession();
  const isEditor = useRole('editor');
  const client = useQueryClient();
  const [, change] = usePaymentsSearch();
  const discard = useMutation<void, BffError>({
    mutationFn: () => bff.delete(`payments/batches/${id}/unsent`),
    onSettled: () => readAgain(client, 'payments'),
  });
  const refused = states.find(({ state }) => state === 'refused')?.payments ?? 0;
  const left = refused + unsent;
  const correct = useMutation<void, BffError>({
    mutationFn: () => bff.post(`payments/batches/${id}/correction`),
    onSuccess: () => change({ view: 'table', batch: undefined, state: undefined, draft: id }),
  });
  if (!isEditor || isRunning || submitters[0] !== user.name) return null;
  const error = discard.error ?? correct.error;
  return (
    <>
      {left > 0 && (
        <Button size="xs" loading={correct.isPending} onClick={() => correct.mutate()}>
          {text.correct(left)}
        </Button>
      )}
      {unsent > 0 && (
        <Button size="xs" variant="default" loading={discard.isPending} onClick={() => discard.mutate()}>
          {text.discardUnsent(unsent)}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => change({ view: 'table', batch: undefined, state: undefined })}>
        {text.submitMore}
      </Button>
      {error && <Failure error={error} />}
    </>
  );
}
