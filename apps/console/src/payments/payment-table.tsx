import { Checkbox, Text } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import { canDecide, Months, PaymentValues, StateBadge } from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

interface PaymentTableProps {
  readonly payments: readonly InboxPayment[];
  /** Keys. */
  readonly selected: ReadonlySet<string>;
  /** Undefined if the person decides on none of them. */
  readonly select: ((keys: ReadonlySet<string>) => void) | undefined;
}

const ROW_HEIGHT = 55;
const OVERSCAN = 8;

/** Payments as a table, with only the rows that are in sight. ↑ and ↓ move between the rows. */
export function PaymentTable({ payments, selected, select }: PaymentTableProps): ReactNode {
  const text = useMessages(messages);
  const table = useRef<HTMLTableElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => setScrollMargin(table.current?.getBoundingClientRect().top ?? 0), []);
  // oxlint-disable-next-line react-hooks/incompatible-library -- the rows are drawn by this component itself
  const rows = useWindowVirtualizer({
    count: payments.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
  });
  const items = rows.getVirtualItems();
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = rows.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  const decidable = payments.filter(canDecide);
  const isAll = decidable.length > 0 && decidable.every(({ key }) => selected.has(key));

  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const index = Number((event.target as HTMLElement).closest<HTMLElement>('tr')?.dataset['index'] ?? Number.NaN);
    if (step === undefined || Number.isNaN(index)) return;
    event.preventDefault();
    rows.scrollToIndex(index + step);
    table.current?.querySelector<HTMLElement>(`tr[data-index="${index + step}"] button`)?.focus();
  }

  return (
    <div className="panel">
      <table ref={table} className={classes['table']} aria-rowcount={payments.length + 1}>
        <caption>{text.caption}</caption>
        <thead>
          <tr>
            {select && (
              <td className={classes['check']}>
                <Checkbox
                  size="xs"
                  aria-label={text.selectAll}
                  checked={isAll}
                  indeterminate={!isAll && decidable.some(({ key }) => selected.has(key))}
                  onChange={() => select(new Set(isAll ? [] : decidable.map(({ key }) => key)))}
                />
              </td>
            )}
            <th scope="col">{text.person}</th>
            <th scope="col" className={`${classes['wide']} ${classes['period']}`}>
              {text.cells.billingPeriod}
            </th>
            <th scope="col" className={`${classes['wide']} ${classes['component']}`}>
              {text.component}
            </th>
            <th scope="col">{text.values}</th>
            <th scope="col" className={`${classes['wide']} ${classes['state']}`}>
              {text.state}
            </th>
            <th scope="col" className={`${classes['wide']} ${classes['instant']}`}>
              {text.submitted}
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index }) => {
            const payment = payments[index];
            if (payment === undefined) return null;
            const { key } = payment;
            const toggle = (): void => {
              const others = [...selected].filter((one) => one !== key);
              select?.(new Set(selected.has(key) ? others : [...others, key]));
            };
            return (
              <tr
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={classes['row']}
                data-selected={selected.has(key) || undefined}
              >
                {select && (
                  <td>
                    <Checkbox
                      size="xs"
                      aria-label={text.select(payment.person?.name ?? payment.contractId)}
                      checked={selected.has(key) && canDecide(payment)}
                      disabled={!canDecide(payment)}
                      onChange={toggle}
                    />
                  </td>
                )}
                <Cells payment={payment} move={move} />
              </tr>
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps {
  readonly payment: InboxPayment;
  readonly move: (event: KeyboardEvent) => void;
}

function Cells({
  move,
  payment: { key, contractId, person, payment, state, isOwn, submittedAt },
}: CellsProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  return (
    <>
      <td>
        <button type="button" className={classes['open']} onKeyDown={move} onClick={() => change({ payment: key })}>
          {person?.name ?? text.noPersonName}
        </button>
        <Text c="dimmed" fz="xs">
          {contractId}
        </Text>
        <div className={classes['narrow']}>
          <StateBadge state={state} />
        </div>
      </td>
      <td className={classes['wide']}>
        <Months payment={payment} />
      </td>
      <td className={classes['wide']}>{payment.compensationComponentId}</td>
      <td>
        <PaymentValues payment={payment} />
        <div className={classes['narrow']}>
          <Text c="dimmed" fz="xs">
            {text.component} {payment.compensationComponentId}
          </Text>
          <Months payment={payment} />
        </div>
      </td>
      <td className={classes['wide']}>
        <StateBadge state={state} />
        {isOwn && (
          <Text c="dimmed" fz="xs">
            {text.own}
          </Text>
        )}
      </td>
      <td className={classes['wide']}>{format.shortInstant(submittedAt)}</td>
    </>
  );
}
