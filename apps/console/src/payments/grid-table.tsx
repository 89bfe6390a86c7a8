import { ActionIcon, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Grid, type GridColumn } from '../components/grid.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { CheckedRow } from './check-payments.ts';
import { messages } from './messages.ts';
import type { CellName, Cells } from './payment-cells.ts';
import { valueNames } from './payment-columns.tsx';
import { Warning } from './payment-parts.tsx';
import classes from './payments.module.css';
import { submitMessages } from './submit-messages.ts';

interface GridTableProps {
  readonly rows: readonly Cells[];
  /** Undefined before the first check. */
  readonly checked: readonly CheckedRow[] | undefined;
  readonly change: (index: number, name: CellName, value: string) => void;
  /** A cell that was changed lost the focus. */
  readonly commit: () => void;
  readonly remove: (index: number) => void;
  /** Index of the row whose first fault gets the focus. */
  readonly target: number | undefined;
  readonly reached: () => void;
}

interface Line {
  readonly index: number;
  readonly cells: Cells;
  readonly checked: CheckedRow | undefined;
}

const textColumns = ['contractId', 'billingPeriod', 'correctionPeriod', 'compensationComponentId'] as const;
/** In the order in which a table without names of columns has them. */
export const gridColumns: readonly CellName[] = [...textColumns, ...valueNames];
/** In rem. A value is never cut off. */
const widths: Partial<Record<CellName, number>> = {
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

/** Rows of cells to edit, with what is wrong below each cell. */
export function GridTable({ rows, checked, change, commit, remove, target, reached }: GridTableProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells, submitTitle } = useMessages(messages);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target === undefined) return;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-index="${target}"] [aria-invalid=true]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'center', inline: 'nearest' });
    reached();
  }, [target, reached]);

  const columns: readonly GridColumn<Line>[] = [
    { id: 'row', header: text.row, width: '2.5rem', card: [1, 'start'], render: ({ index }) => index + 1 },
    ...gridColumns.map((name, place): GridColumn<Line> => {
      const width = widths[name];
      return {
        id: name,
        header: cells[name],
        width: width === undefined ? 'minmax(0, 1fr)' : `${width}rem`,
        card: [Math.floor(place / 2) + 3, place % 2 === 0 ? 'start' : 'end'],
        ...(isValue(name) && { figures: 'end' }),
        render: ({ index, cells: row, checked: result }) => (
          <Cell
            label={text.cellOf(cells[name], index + 1)}
            name={name}
            value={row[name] ?? ''}
            checked={result}
            change={(value) => change(index, name, value)}
            commit={commit}
          />
        ),
      };
    }),
    {
      id: 'remove',
      header: <VisuallyHidden>{text.edit}</VisuallyHidden>,
      width: '1.75rem',
      card: [1, 'end'],
      render: ({ index }) => (
        <Group justify="flex-end">
          <ActionIcon variant="subtle" color="gray" aria-label={text.remove(index + 1)} onClick={() => remove(index)}>
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
        rows={rows.map((row, index): Line => ({ index, cells: row, checked: checked?.[index] }))}
        keyOf={({ index }) => String(index)}
        rowHeight={ROW_HEIGHT}
        cardsBelow={COLUMNS_FROM}
        isEditable
        drawn={target === undefined ? undefined : String(target)}
      />
    </div>
  );
}

interface CellProps {
  readonly label: string;
  readonly name: CellName;
  readonly value: string;
  readonly checked: CheckedRow | undefined;
  readonly change: (value: string) => void;
  readonly commit: () => void;
}

function Cell({ label, name, value, checked, change, commit }: CellProps): ReactNode {
  const text = useMessages(submitMessages);
  // What concerns the whole row stands at a cell where it can be corrected.
  const fault = checked?.faults.find(
    ({ cell, code }) => (cell ?? (code === 'rule' ? 'amount' : 'contractId')) === name,
  );
  const isContract = name === 'contractId' && checked !== undefined && fault === undefined;
  return (
    <>
      <TextInput
        size="xs"
        aria-label={label}
        {...(isValue(name) && { classNames: { input: classes['numberInput'] } })}
        value={value}
        error={fault && (text.faults[fault.code] ?? text.otherFault)}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onBlur={() => {
          if (value !== (checked?.cells[name] ?? '')) commit();
        }}
      />
      {isContract &&
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

function isValue(name: CellName): boolean {
  return (valueNames as readonly CellName[]).includes(name);
}
