import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { GridOutline, type GridColumn } from '../components/grid.tsx';
import { PagedGrid } from '../components/paged-grid.tsx';
import { Empty, Failure, Page, ScreenState } from '../components/page.tsx';
import { bff, readAgain, usePages, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import type { BatchesPage, BatchPage } from './payment-inbox.ts';
import {
  BackButton,
  DecideButtons,
  Go,
  Notice,
  Settle,
  StateBadge,
  StateFilter,
  type Decide,
} from './payment-parts.tsx';
import { paymentStates } from './payment-states.ts';
import { PaymentTable, TotalsTable, valueText } from './payment-table.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

const POLL_MS = 1000;

/** A batch: how far it is, its control totals, the decision on it, and its payments. */
export function BatchScreen({ id, decide }: { readonly id: string; readonly decide: Decide }): ReactNode {
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
                rows={batch.states.map((one) => ({ ...one, label: <StateBadge state={one.state} /> }))}
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
  const text = useMessages(messages);
  const { id, isRunning, states, totals, stop } = batch;
  if (isRunning) {
    const waiting = states.find(({ state }) => state === 'sending')?.payments ?? 0;
    const done = totals.payments - waiting;
    return (
      <div>
        <Text component="output">{text.progress(done, totals.payments)}</Text>
        <Progress value={(done / totals.payments) * 100} aria-label={text.result} transitionDuration={0} />
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
function Unsent({ batch: { id, unsent, isOwn, isRunning, states } }: { readonly batch: BatchPage }): ReactNode {
  const text = useMessages(messages);
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
  if (!isEditor || isRunning || !isOwn) return null;
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
      <Go to={{ view: 'table', batch: undefined, state: undefined }}>{text.submitMore}</Go>
      {error && <Failure error={error} />}
    </>
  );
}

/** Payments that were submitted together, the newest first. */
export function BatchList(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  const query = usePages<BatchesPage>('payments/batches', {}, { kinds: ['payments'] });
  const columns: readonly GridColumn<BatchesPage['batches'][number]>[] = [
    {
      id: 'name',
      header: text.batch,
      width: 'minmax(10rem, 2fr)',
      card: [1, 'start'],
      render: ({ name }) => <span className={classes['name']}>{name}</span>,
      title: ({ name }) => name,
    },
    {
      id: 'payments',
      header: text.number,
      width: '5rem',
      figures: 'end',
      card: [1, 'end'],
      render: ({ totals }) => format.number(totals.payments),
    },
    {
      id: 'amount',
      header: text.cells.amount,
      width: '8rem',
      figures: 'end',
      card: [2, 'end'],
      render: ({ totals }) => valueText(format, 'amount', totals.amount),
    },
    {
      id: 'state',
      header: text.state,
      width: 'minmax(10rem, 2fr)',
      card: [3, 'start'],
      render: ({ counts }) =>
        paymentStates
          .filter((state) => (counts[state] ?? 0) > 0)
          .map((state) => <div key={state}>{`${text.states[state]} ${format.number(counts[state])}`}</div>),
    },
    {
      id: 'submitter',
      header: text.submitter,
      width: 'minmax(6rem, 1fr)',
      card: [2, 'start'],
      render: ({ submitters }) => format.list(submitters),
    },
    {
      id: 'submitted',
      header: text.submitted,
      width: '7rem',
      figures: 'start',
      rank: 1,
      render: ({ at }) => format.shortInstant(at),
    },
  ];
  return (
    <Page title={text.batches} actions={<BackButton />}>
      <ScreenState query={query} skeleton={<GridOutline />}>
        {({ pages }) =>
          pages[0]?.batches.length === 0 ? (
            <Empty icon={<IconStack2 size={32} />} title={text.noBatchesTitle}>
              {text.noBatchesText}
            </Empty>
          ) : (
            <PagedGrid
              query={query}
              rowsOf={({ batches }) => batches}
              label={text.batches}
              help={text.listHelp}
              columns={columns}
              keyOf={({ id }) => id}
              onOpen={({ id }) => change({ batch: id, state: undefined }, false)}
            />
          )
        }
      </ScreenState>
    </Page>
  );
}
