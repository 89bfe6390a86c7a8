import { ActionIcon, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { CheckedRow } from './check-payments.ts';
import { messages } from './messages.ts';
import type { CellName, Cells } from './payment-cells.ts';
import { valueNames, valueWidths } from './payment-columns.tsx';
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

const textColumns = ['contractId', 'billingPeriod', 'correctionPeriod', 'compensationComponentId'] as const;
/** In the order in which a table without names of columns has them. */
export const gridColumns: readonly CellName[] = [...textColumns, ...valueNames];
const widths: Partial<Record<CellName, number>> = {
  billingPeriod: 122,
  correctionPeriod: 110,
  compensationComponentId: 110,
  ...valueWidths,
};
const ROW_HEIGHT = 58;
const OVERSCAN = 6;

/** Rows of cells to edit, with what is wrong below each cell. Only the rows in sight are in the page. */
export function GridTable({ rows, checked, change, commit, remove, target, reached }: GridTableProps): ReactNode {
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
  });
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);

  // The row may be out of sight. Then it is drawn by the scroll, and this runs again.
  useEffect(() => {
    if (target === undefined) return;
    const cell = table.current?.querySelector<HTMLElement>(`tr[data-index="${target}"] [aria-invalid=true]`);
    if (cell) {
      cell.focus({ preventScroll: true });
      cell.scrollIntoView({ block: 'center', inline: 'nearest' });
      reached();
    } else virtual.scrollToIndex(target, { align: 'center' });
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
          {items.map(({ index }) => (
            <tr key={index} ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2}>
              <td className={classes['index']}>{index + 1}</td>
              {gridColumns.map((name) => (
                <td key={name}>
                  <Cell
                    label={text.cellOf(cells[name], index + 1)}
                    name={name}
                    value={rows[index]?.[name] ?? ''}
                    checked={checked?.[index]}
                    change={(value) => change(index, name, value)}
                    commit={commit}
                  />
                </td>
              ))}
              <td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={text.remove(index + 1)}
                  onClick={() => remove(index)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </td>
            </tr>
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
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
  const { nameOf } = useLabels();
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
      {name === 'compensationComponentId' && (
        <Text fz="xs" c="dimmed">
          {nameOf('compensationComponent', value.trim(), '')}
        </Text>
      )}
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
