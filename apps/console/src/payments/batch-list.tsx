import { IconStack2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { GridOutline, type GridColumn } from '../components/grid.tsx';
import { PagedGrid } from '../components/paged-grid.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { usePages } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { BatchesPage, ListedBatch } from './batches.ts';
import { messages } from './messages.ts';
import { valueText } from './payment-columns.tsx';
import { BackButton } from './payment-parts.tsx';
import classes from './payments.module.css';
import { paymentStates } from './payment-states.ts';
import { usePaymentsSearch } from './payments-search.ts';

/** Payments that were submitted together, the newest first. */
export function BatchList(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  const query = usePages<BatchesPage>('payments/batches', {}, { kinds: ['payments'] });
  const columns: readonly GridColumn<ListedBatch>[] = [
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
      from: 58,
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
