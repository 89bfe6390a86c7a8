import { Box, Text } from '@mantine/core';
import type { OutboxPayment } from '@hr/client/mirror';
import type { ReactNode } from 'react';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { totalNames, totalsOf, type Totals } from '../model/totals.ts';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
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

interface TotalsRow {
  readonly label: ReactNode;
  readonly totals: Totals;
}

interface TotalsTableProps {
  readonly caption: string;
  /** The heading of what the rows are. */
  readonly header: string;
  readonly rows: readonly TotalsRow[];
  readonly sum: Totals;
}

/** Numbers and sums of groups of payments, to compare with those of a spreadsheet. */
export function TotalsTable({ caption, header, rows, sum }: TotalsTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const names = totalNames.filter((name) => sum[name] !== undefined);
  return (
    <Box maw={640}>
      <ScrollTable<TotalsRow>
        caption={caption}
        hidesCaption
        columns={[
          { header, render: ({ label }) => label },
          { header: text.number, figures: 'end', render: ({ totals }) => format.number(totals.payments) },
          ...names.map((name): TableColumn<TotalsRow> => ({
            header: text.cells[name],
            figures: 'end',
            render: ({ totals }) => valueText(format, name, totals[name]),
          })),
        ]}
        rows={rows.length > 1 ? [...rows, { label: <b>{text.sum}</b>, totals: sum }] : rows}
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
  const labelOf = ({ billingPeriod, compensationComponentId }: OutboxPayment): ReactNode => (
    <>
      {format.month(billingPeriod)} · <LabelText kind="compensationComponent" id={compensationComponentId} />
    </>
  );
  return (
    <TotalsTable
      caption={text.sums}
      header={text.component}
      rows={rows.map(([, some]) => ({ label: some[0] && labelOf(some[0]), totals: totalsOf(some) }))}
      sum={totalsOf(payments)}
    />
  );
}
