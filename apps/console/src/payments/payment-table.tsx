import { Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GridColumn } from '../components/grid.tsx';
import { PagedGrid } from '../components/paged-grid.tsx';
import type { BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { usePaymentColumns } from './payment-columns.tsx';
import type { InboxPage, InboxPayment } from './payment-inbox.ts';
import { canDecide, failureText, StateBadge } from './payment-parts.tsx';
import { usePaymentsSearch } from './payments-search.ts';

interface PaymentTableProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<InboxPage>, BffError>;
  /** Number of payments on all pages. */
  readonly count: number;
  /** Whether their states differ, or have a reason. */
  readonly hasState: boolean;
  /** Whether they are those of a batch, which one person submitted. */
  readonly isBatch?: boolean;
  /** Undefined if the person decides on none of them. */
  readonly selection?:
    | { readonly selected: ReadonlySet<string>; readonly change: (keys: ReadonlySet<string>) => void }
    | undefined;
}

/** Payments, page by page. */
export function PaymentTable({ query, count, hasState, isBatch = false, selection }: PaymentTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [{ payment: shown }, change] = usePaymentsSearch();
  const columns = usePaymentColumns<InboxPayment>(({ bar }) => bar === 'own' && ` · ${text.own}`);
  const reasonOf = ({ state, decision, entry }: InboxPayment): string | undefined => {
    if (state === 'rejected') return decision?.reason;
    return entry?.code && (state === 'unknown' || state === 'refused') ? failureText(text, entry.code) : undefined;
  };
  const state: GridColumn<InboxPayment> = {
    id: 'state',
    header: text.state,
    width: 'minmax(11rem, 1.3fr)',
    card: [3, 'end'],
    render: (payment) => (
      <>
        <StateBadge state={payment.state} />
        <Text c="dimmed" fz="xs" truncate>
          {reasonOf(payment)}
        </Text>
      </>
    ),
    title: (payment) => reasonOf(payment) ?? '',
  };
  const row: GridColumn<InboxPayment> = {
    id: 'row',
    header: text.row,
    width: '3.5rem',
    figures: 'end',
    from: 50,
    render: (payment) => format.number(payment.row),
  };
  const submission: GridColumn<InboxPayment>[] = [
    {
      id: 'submitter',
      header: text.submitter,
      width: 'minmax(6rem, 1fr)',
      from: hasState ? 62 : 50,
      render: ({ submitters, submittedBy }) =>
        submitters.length > 0 ? format.list(submitters) : text.client(submittedBy),
    },
    {
      id: 'submitted',
      header: text.submitted,
      width: '7rem',
      figures: 'start',
      from: hasState ? 74 : 58,
      render: ({ submittedAt }) => format.shortInstant(submittedAt),
    },
  ];
  return (
    <PagedGrid
      query={query}
      rowsOf={({ payments }) => payments}
      count={count}
      label={text.caption}
      help={selection ? text.selectHelp : text.listHelp}
      columns={[...columns, ...(hasState ? [state] : []), ...(isBatch ? [row] : submission)]}
      rowHeight={3.25}
      keyOf={({ key }) => key}
      selection={
        selection && {
          ...selection,
          canSelect: canDecide,
          label: ({ person, contractId }) => text.select(person?.name ?? contractId),
          allLabel: text.selectAll,
        }
      }
      shown={shown}
      onOpen={({ key, entry, paymentId }) => (entry ?? paymentId) && change({ payment: key })}
    />
  );
}
