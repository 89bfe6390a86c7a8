import { Box, Text } from '@mantine/core';
import type { OutboxPayment } from '@hr/client/mirror';
import type { PaymentField } from '@hr/text/read-payment';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GridColumn } from '../components/grid.tsx';
import { PagedGrid } from '../components/paged-grid.tsx';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { totalNames, totalsOf, type Totals } from '../model/totals.ts';
import type { BffError } from '../shell/bff.ts';
import { useFormat, type Format } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { InboxPage, InboxPayment } from './payment-inbox.ts';
import { canDecide, failureText, StateBadge } from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

/** The values of a payment, in the order of the API. */
export const valueNames = ['amount', 'hours', 'days', 'hourlyFactor', 'percentage'] as const satisfies PaymentField[];
type ValueName = (typeof valueNames)[number];

/** A value without a unit, because the API states none. */
export function valueText(format: Format, name: ValueName, value: number | undefined): string {
  if (value === undefined) return '';
  return name === 'amount' ? format.amount(value) : format.number(value);
}

/** Returns the values of a payment with their names. */
export function useValues(): (payment: OutboxPayment) => [name: ValueName, label: string, value: string][] {
  const text = useMessages(messages);
  const format = useFormat();
  return (payment) =>
    valueNames.flatMap((name) =>
      payment[name] === undefined ? [] : [[name, text.cells[name], valueText(format, name, payment[name])]],
    );
}

/** The columns that all tables of payments share. */
export function usePaymentColumns<Row extends Pick<InboxPayment, 'contractId' | 'person' | 'payment'>>(
  noteOf: (row: Row) => ReactNode,
): GridColumn<Row>[] {
  const text = useMessages(messages);
  const format = useFormat();
  const valuesOf = useValues();
  const { nameWithKey } = useLabels();
  return [
    {
      id: 'person',
      header: text.person,
      width: 'minmax(8rem, 2fr)',
      card: [1, 'start'],
      render: (row) => (
        <>
          <div className={classes['name']}>{row.person?.name ?? text.noPersonName}</div>
          <Text c="dimmed" fz="xs" component="div">
            {row.contractId}
            {noteOf(row)}
          </Text>
        </>
      ),
      title: ({ person, contractId }) => person?.name ?? contractId,
    },
    {
      id: 'period',
      header: text.cells.billingPeriod,
      width: 'minmax(7.5rem, 1fr)',
      card: [2, 'start'],
      render: ({ payment: { billingPeriod, correctionPeriod = billingPeriod } }) => (
        <>
          {format.month(billingPeriod)}
          {correctionPeriod !== billingPeriod && (
            <Text c="dimmed" fz="xs">
              {text.correctionOf(format.month(correctionPeriod))}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'component',
      header: text.component,
      width: 'minmax(6.5rem, 1.6fr)',
      card: [3, 'start'],
      render: ({ payment }) => <LabelText kind="compensationComponent" id={payment.compensationComponentId} />,
      title: ({ payment }) => nameWithKey('compensationComponent', payment.compensationComponentId),
    },
    {
      id: 'amount',
      header: text.cells.amount,
      width: '6.5rem',
      figures: 'end',
      card: [1, 'end'],
      render: ({ payment }) => valueText(format, 'amount', payment.amount),
    },
    {
      id: 'others',
      header: text.otherValues,
      width: 'minmax(7.5rem, 1fr)',
      card: [2, 'end'],
      render: ({ payment }) => {
        const others = valuesOf(payment).filter(([name]) => name !== 'amount');
        return others.map(([name, label, value]) => <div key={name}>{`${label} ${value}`}</div>);
      },
    },
  ];
}

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
    width: 'minmax(9rem, 1.3fr)',
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
    rank: 1,
    render: (payment) => format.number(payment.row),
  };
  const submission: GridColumn<InboxPayment>[] = [
    {
      id: 'submitter',
      header: text.submitter,
      width: 'minmax(6rem, 1fr)',
      rank: 1,
      render: ({ submitters, submittedBy }) =>
        submitters.length > 0 ? format.list(submitters) : text.client(submittedBy),
    },
    {
      id: 'submitted',
      header: text.submitted,
      width: '7rem',
      figures: 'start',
      rank: 2,
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

/** Control totals in one line. */
export function TotalsText({ totals }: { readonly totals: Totals }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const sums = totalNames.flatMap((name) =>
    totals[name] === undefined ? [] : `${text.cells[name]} ${valueText(format, name, totals[name])}`,
  );
  return <Text component="output">{[text.count(format.number(totals.payments)), ...sums].join(' · ')}</Text>;
}

interface TotalsTableProps {
  readonly caption: string;
  /** The heading of what the rows are. */
  readonly header: string;
  readonly rows: readonly (Totals & { readonly label: ReactNode })[];
  readonly sum: Totals;
}

/** Numbers and sums of groups of payments, to compare with those of a spreadsheet. */
export function TotalsTable({ caption, header, rows, sum }: TotalsTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const names = totalNames.filter((name) => sum[name] !== undefined);
  return (
    <Box maw={640}>
      <ScrollTable
        caption={caption}
        hidesCaption
        columns={[
          { header, render: ({ label }) => label },
          { header: text.number, figures: 'end', render: ({ payments }) => format.number(payments) },
          ...names.map((name): TableColumn<(typeof rows)[number]> => ({
            header: text.cells[name],
            figures: 'end',
            render: (totals) => valueText(format, name, totals[name]),
          })),
        ]}
        rows={rows.length > 1 ? [...rows, { label: <b>{text.sum}</b>, ...sum }] : rows}
        minWidth={320}
      />
    </Box>
  );
}

/** The sums of payments by billing period and component. */
export function PaymentSums({ payments }: { readonly payments: readonly OutboxPayment[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const groups = Map.groupBy(payments, (one) => `${one.billingPeriod} ${one.compensationComponentId}`);
  const rows = [...groups].toSorted(([one], [other]) => format.compare(one, other));
  return (
    <TotalsTable
      caption={text.sums}
      header={text.component}
      rows={rows.map(([group, some]) => {
        const [period = '', component = ''] = group.split(/ (.*)/);
        const label = (
          <>
            {format.month(period)} · <LabelText kind="compensationComponent" id={component} />
          </>
        );
        return { label, ...totalsOf(some) };
      })}
      sum={totalsOf(payments)}
    />
  );
}
