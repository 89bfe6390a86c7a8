import { ActionIcon, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Warning } from '../components/form.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { CheckedRow } from './check-payments.ts';
import { messages } from './messages.ts';
import type { CellName, Cells } from './payment-cells.ts';
import { valueNames, valueWidths } from './payment-columns.tsx';
import { FailureReason } from './payment-parts.tsx';
import classes from './payments.module.css';
import { faultText, submitMessages } from './submit-messages.ts';
import type { Refusal } from './table-draft.ts';

interface GridRow {
  readonly key: string;
  readonly number: number;
  readonly cells: Cells;
  readonly refusal: Refusal | undefined;
}

interface GridTableProps {
  readonly rows: readonly GridRow[];
  /** By the keys of the rows. */
  readonly checked: Readonly<Record<string, CheckedRow>>;
  readonly change: (key: string, name: CellName, value: string) => void;
  /** A cell that was changed lost the focus. */
  readonly commit: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Number of the cell that is to get the focus, counted row by row. */
  readonly target: number | undefined;
  readonly reached: () => void;
}

const textColumns = ['contractId', 'billingPeriod', 'correctionPeriod', 'compensationComponentId'] as const;
/** In the order in which a table without names of columns has them. */
export const gridColumns: readonly CellName[] = [...textColumns, ...valueNames];
const widths: Partial<Record<CellName, number>> = {
  billingPeriod: 122,
  correctionPeriod: 110,
  compensationComponentId: 90,
  ...valueWidths,
};
/** What is wrong with a cell. What concerns the whole row stands at a cell where it can be corrected. */
export function faultAt(checked: CheckedRow | undefined, name: CellName): CheckedRow['faults'][number] | undefined {
  return checked?.faults.find(({ cell, code }) => (cell ?? (code === 'rule' ? 'amount' : 'contractId')) === name);
}

const ROW_HEIGHT = 58;
const OVERSCAN = 6;

/** Rows of cells to edit, with what is wrong below each cell. Only the rows in sight are in the page. */
export function GridTable({ rows, checked, target, reached, remove, ...handlers }: GridTableProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells, submitTitle } = useMessages(messages);
  const table = useRef<HTMLTableElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => setScrollMargin(table.current?.getBoundingClientRect().top ?? 0), []);
  // oxlint-disable-next-line react-hooks/incompatible-library -- the rows are drawn by this component itself
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);

  // The row may be out of sight. Then it is drawn by the scroll, and this runs again.
  useEffect(() => {
    if (target === undefined) return;
    const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${target}"]`);
    if (cell) {
      cell.focus({ preventScroll: true });
      cell.scrollIntoView({ block: 'center', inline: 'nearest' });
      reached();
    } else virtual.scrollToIndex(Math.floor(target / gridColumns.length), { align: 'center' });
  });

  return (
    <div className={`panel ${classes['frame']}`}>
      <table ref={table} className={`${classes['table']} ${classes['grid']}`} aria-rowcount={rows.length + 1}>
        <caption>{submitTitle}</caption>
        <thead>
          <tr>
            <th scope="col" className={classes['check']}>
              {text.row}
            </th>
            {gridColumns.map((name) => (
              <th
                key={name}
                scope="col"
                className={isValue(name) ? classes['number'] : undefined}
                style={{ width: widths[name] }}
              >
                {cells[name]}
              </th>
            ))}
            <th scope="col" className={classes['check']}>
              <VisuallyHidden>{text.edit}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index }) => {
            const row = rows[index];
            return (
              row && (
                <tr key={row.key} ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2}>
                  <td className={classes['index']}>{row.number}</td>
                  {gridColumns.map((name, column) => (
                    <td key={name}>
                      <Cell
                        {...handlers}
                        name={name}
                        row={row}
                        cell={index * gridColumns.length + column}
                        checked={checked[row.key]}
                      />
                    </td>
                  ))}
                  <td>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={text.remove(row.number)}
                      onClick={() => remove(row.key)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </td>
                </tr>
              )
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps extends Pick<GridTableProps, 'change' | 'commit'> {
  readonly name: CellName;
  readonly row: GridRow;
  /** Its number in the table. */
  readonly cell: number;
  readonly checked: CheckedRow | undefined;
}

function Cell({ name, row, cell, checked, change, commit }: CellProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells: labels } = useMessages(messages);
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

function isValue(name: CellName): boolean {
  return (valueNames as readonly CellName[]).includes(name);
}
