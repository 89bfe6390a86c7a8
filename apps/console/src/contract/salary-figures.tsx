import { Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { ComponentSwatch } from './component-fill.tsx';
import css from './contract.module.css';
import { messages } from './messages.ts';
import type { SalaryMonth, SalaryTable } from './salary-table.ts';

/** The salary history as a table, the newest month first. */
export function SalaryFigures({ salary: { months, components } }: { readonly salary: SalaryTable }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const anyDiffers = months.some(({ differentSum }) => differentSum !== undefined);
  const caption = text.tableCaption(format.month(months[0]?.month ?? ''), format.month(months.at(-1)?.month ?? ''));
  return (
    // A part that scrolls needs the keyboard (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={css['scroll']} aria-label={caption} tabIndex={0}>
      <Table highlightOnHover verticalSpacing={6} horizontalSpacing="md" data-table="salary">
        <Table.Caption className={css['caption']}>{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.month}</Table.Th>
            <Table.Th scope="col" className={css['number']}>
              {text.total}
            </Table.Th>
            <Table.Th scope="col" className={css['number']}>
              {text.base}
            </Table.Th>
            {components.map((id, index) => (
              <Table.Th key={id} scope="col" className={css['number']}>
                <span className={css['componentHead']}>
                  <ComponentSwatch index={index} />
                  <span className={css['hidden']}>{text.component}</span>
                  {id}
                </span>
              </Table.Th>
            ))}
            {anyDiffers && (
              <Table.Th scope="col" className={css['number']}>
                {text.sum}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.toReversed().map((month) => (
            <MonthRow key={month.month} month={month} hasSum={anyDiffers} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function MonthRow({ month, hasSum }: { readonly month: SalaryMonth; readonly hasSum: boolean }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { total, base, values, hasEntry, differentSum } = month;
  const head = (
    <Table.Th scope="row" fw={500} style={{ whiteSpace: 'nowrap' }}>
      {format.month(month.month)}
    </Table.Th>
  );
  if (!hasEntry) {
    return (
      <Table.Tr>
        {head}
        <Table.Td colSpan={2 + values.length + (hasSum ? 1 : 0)}>
          <Text c="dimmed" ta="right">
            {text.gap}
          </Text>
        </Table.Td>
      </Table.Tr>
    );
  }
  return (
    <Table.Tr>
      {head}
      <Table.Td className={css['number']} fw={600}>
        {format.amount(total)}
      </Table.Td>
      <Table.Td className={css['number']}>{format.amount(base)}</Table.Td>
      {values.map((value, index) => (
        // The columns have no other identity.
        // oxlint-disable-next-line react/no-array-index-key
        <Table.Td key={index} className={css['number']}>
          {value === null ? <Text c="dimmed">{DASH}</Text> : format.amount(value)}
        </Table.Td>
      ))}
      {hasSum && (
        <Table.Td className={css['number']}>
          {differentSum !== undefined && (
            <span className={css['componentHead']}>
              <IconAlertTriangle size={14} aria-hidden />
              {format.amount(differentSum)}
            </span>
          )}
        </Table.Td>
      )}
    </Table.Tr>
  );
}
