import { ActionIcon, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import type { PaymentCells, PaymentField } from '@hr/text/read-payment';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Warning } from '../components/form.tsx';
import { Grid, type GridColumn } from '../components/grid.tsx';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { CheckedRow } from './check-payments.ts';
import { messages } from './messages.ts';
import { valueNames } from './payment-columns.tsx';
import { FailureReason } from './payment-parts.tsx';
import classes from './payments.module.css';
import { faultText, submitMessages } from './submit-messages.ts';
import type { Refusal } from './table-draft.ts';

interface GridRow {
  readonly key: string;
  readonly number: number;
  readonly cells: PaymentCells;
  readonly refusal: Refusal | undefined;
}

interface GridTableProps {
  readonly rows: readonly GridRow[];
  /** By the keys of the rows. */
  readonly checked: Readonly<Record<string, CheckedRow>>;
  readonly change: (key: string, name: PaymentField, value: string) => void;
  /** A cell that was changed lost the focus. */
  readonly commit: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Number of the cell that is to get the focus, counted row by row. */
  readonly target: number | undefined;
  readonly reached: () => void;
}

const textColumns = ['contractId', 'billingPeriod', 'correctionPeriod', 'compensationComponentId'] as const;
/** In the order in which a table without names of columns has them. */
export const gridColumns: readonly PaymentField[] = [...textColumns, ...valueNames];
/** In rem. A value is never cut off. */
const widths: Partial<Record<PaymentField, number>> = {
  billingPeriod: 7.25,
  correctionPeriod: 6.5,
  compensationComponentId: 5.25,
  amount: 6.75,
  hours: 4.25,
  days: 3.75,
  hourlyFactor: 6,
  percentage: 5.25,
};
const COLUMNS_FROM = 63;
const ROW_HEIGHT = 3.625;

/** What is wrong with a cell. What concerns the whole row stands at a cell where it can be corrected. */
export function faultAt(checked: CheckedRow | undefined, name: PaymentField): CheckedRow['faults'][number] | undefined {
  return checked?.faults.find(({ field, code }) => (field ?? (code === 'rule' ? 'amount' : 'contractId')) === name);
}

/** Rows of cells to edit, with what is wrong below each cell. */
export function GridTable({ rows, checked, target, reached, remove, ...handlers }: GridTableProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells, submitTitle } = useMessages(messages);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target === undefined) return;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${target}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'center', inline: 'nearest' });
    reached();
  }, [target, reached]);

  const columns: readonly GridColumn<GridRow>[] = [
    { id: 'row', header: text.row, width: '2.5rem', card: [1, 'start'], render: ({ number }) => number },
    ...gridColumns.map((name, place): GridColumn<GridRow> => {
      const width = widths[name];
      return {
        id: name,
        header: cells[name],
        width: width === undefined ? 'minmax(0, 1fr)' : `${width}rem`,
        card: [Math.floor(place / 2) + 3, place % 2 === 0 ? 'start' : 'end'],
        ...(isValue(name) && { figures: 'end' }),
        render: (row) => (
          <Cell
            {...handlers}
            name={name}
            row={row}
            cell={rows.indexOf(row) * gridColumns.length + place}
            checked={checked[row.key]}
          />
        ),
      };
    }),
    {
      id: 'remove',
      header: <VisuallyHidden>{text.edit}</VisuallyHidden>,
      width: '1.75rem',
      card: [1, 'end'],
      render: ({ key, number }) => (
        <Group justify="flex-end">
          <ActionIcon variant="subtle" color="gray" aria-label={text.remove(number)} onClick={() => remove(key)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ),
    },
  ];
  return (
    <div ref={grid}>
      <Grid
        label={submitTitle}
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        rowHeight={ROW_HEIGHT}
        cardsBelow={COLUMNS_FROM}
        isEditable
        drawn={target === undefined ? undefined : rows[Math.floor(target / gridColumns.length)]?.key}
      />
    </div>
  );
}

interface CellProps extends Pick<GridTableProps, 'change' | 'commit'> {
  readonly name: PaymentField;
  readonly row: GridRow;
  /** Its number in the table. */
  readonly cell: number;
  readonly checked: CheckedRow | undefined;
}

function Cell({ name, row, cell, checked, change, commit }: CellProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells: labels } = useMessages(messages);
  const { nameOf } = useLabels();
  const fault = faultAt(checked, name);
  const value = row.cells[name] ?? '';
  return (
    <>
      <TextInput
        size="xs"
        aria-label={text.cellOf(labels[name], row.number)}
        data-cell={cell}
        {...(isValue(name) && { classNames: { input: classes['numberInput'] } })}
        value={value}
        error={faultText(text, fault?.code)}
        onChange={({ currentTarget }) => change(row.key, name, currentTarget.value)}
        onBlur={() => {
          if (value !== (checked?.cells[name] ?? '')) commit(row.key);
        }}
      />
      {name === 'compensationComponentId' && (
        <Text fz="xs" c="dimmed">
          {nameOf('compensationComponent', value.trim(), '')}
        </Text>
      )}
      {name === 'contractId' && row.refusal && <FailureReason {...row.refusal} />}
      {name === 'contractId' &&
        checked !== undefined &&
        fault === undefined &&
        (checked.person === undefined ? (
          <Warning>{text.unknownContract}</Warning>
        ) : (
          <Text fz="xs" c="dimmed">
            {checked.person.name}
          </Text>
        ))}
    </>
  );
}

function isValue(name: PaymentField): boolean {
  return (valueNames as readonly PaymentField[]).includes(name);
}
