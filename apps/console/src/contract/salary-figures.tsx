import { Group, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { DASH, useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { ComponentSwatch } from './component-fill.tsx';
import { messages } from './messages.ts';
import type { SalaryMonth, SalaryTable } from './salary-table.ts';

/** The salary history as a table, the newest month first. */
export function SalaryFigures({ salary: { months, components } }: { readonly salary: SalaryTable }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const anyDiffers = months.some(({ differentSum }) => differentSum !== undefined);
  const sum: TableColumn<SalaryMonth> = {
    header: text.sum,
    figures: 'end',
    render: ({ differentSum }) =>
      differentSum !== undefined && (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <IconAlertTriangle size={14} aria-hidden />
          {format.amount(differentSum)}
        </Group>
      ),
  };
  return (
    <ScrollTable
      caption={text.tableCaption(format.month(months[0]?.month ?? ''), format.month(months.at(-1)?.month ?? ''))}
      hidesCaption
      isFramed
      minWidth={0}
      rows={months.toReversed()}
      keyOf={({ month }) => month}
      columns={[
        { header: text.month, render: ({ month }) => format.month(month) },
        {
          header: text.total,
          figures: 'end',
          render: ({ hasEntry, total }) =>
            hasEntry ? (
              <Text span inherit fw={600}>
                {format.amount(total)}
              </Text>
            ) : (
              <Text inherit c="dimmed">
                {text.gap}
              </Text>
            ),
        },
        { header: text.base, figures: 'end', render: ({ hasEntry, base }) => hasEntry && format.amount(base) },
        ...components.map((id, index): TableColumn<SalaryMonth> => ({
          header: (
            <Group gap={6} justify="flex-end" wrap="nowrap">
              <ComponentSwatch index={index} />
              <VisuallyHidden>{text.component}</VisuallyHidden>
              {nameOf('compensationComponent', id)}
            </Group>
          ),
          figures: 'end',
          render: ({ hasEntry, values: { [index]: value = null } }) =>
            hasEntry &&
            (value === null ? (
              <Text inherit c="dimmed">
                {DASH}
              </Text>
            ) : (
              format.amount(value)
            )),
        })),
        ...(anyDiffers ? [sum] : []),
      ]}
    />
  );
}
