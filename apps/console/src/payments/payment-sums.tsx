import { Box, Text } from '@mantine/core';
import type { OutboxPayment } from '@hr/client/mirror';
import type { ReactNode } from 'react';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { totalNames, totalsOf, type Totals } from '../model/totals.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { valueText } from './payment-columns.tsx';

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
  readonly rows: readonly { readonly key: string; readonly label: ReactNode; readonly totals: Totals }[];
  readonly sum: Totals;
}

/** Numbers and sums of groups of payments, to compare with those of a spreadsheet. */
export function TotalsTable({ caption, header, rows, sum }: TotalsTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const names = totalNames.filter((name) => sum[name] !== undefined);
  const columns: TableColumn<TotalsTableProps['rows'][number]>[] = [
    { header, render: ({ label }) => label },
    { header: text.number, figures: 'end', render: ({ totals }) => format.number(totals.payments) },
    ...names.map((name) => ({
      header: text.cells[name],
      figures: 'end' as const,
      render: ({ totals }: TotalsTableProps['rows'][number]) => valueText(format, name, totals[name]),
    })),
  ];
  return (
    <Box maw={640}>
      <ScrollTable
        caption={caption}
        hidesCaption
        columns={columns}
        rows={rows.length > 1 ? [...rows, { key: 'sum', label: text.sum, totals: sum }] : rows}
        keyOf={({ key }) => key}
        rowProps={({ key }) => ({ style: { fontWeight: key === 'sum' ? 600 : undefined } })}
        minWidth={320}
      />
    </Box>
  );
}

/** The sums of payments by billing period and component. */
export function PaymentSums({ payments }: { readonly payments: readonly OutboxPayment[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const groups = Map.groupBy(
    payments,
    ({ billingPeriod, compensationComponentId }) => `${billingPeriod} ${compensationComponentId}`,
  );
  const rows = [...groups].toSorted(([one], [other]) => format.compare(one, other));
  const labelOf = ({ billingPeriod, compensationComponentId }: OutboxPayment): string =>
    `${format.month(billingPeriod)} · ${compensationComponentId}`;
  return (
    <TotalsTable
      caption={text.sums}
      header={text.component}
      rows={rows.map(([key, some]) => ({ key, label: some[0] && labelOf(some[0]), totals: totalsOf(some) }))}
      sum={totalsOf(payments)}
    />
  );
}
