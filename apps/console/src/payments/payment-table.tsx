import { Checkbox } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import { PaymentCells, PaymentHeads, valuesOf } from './payment-columns.tsx';
import { canDecide, StateBadge } from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

interface PaymentTableProps {
  readonly payments: readonly InboxPayment[];
  /** Whether their states differ. */
  readonly hasState: boolean;
  /** Keys. */
  readonly selected: ReadonlySet<string>;
  /** Undefined if the person decides on none of them. */
  readonly select: ((keys: ReadonlySet<string>) => void) | undefined;
}

const ROW_HEIGHT = 55;
const OVERSCAN = 8;

/** Payments as a table, with only the rows that are in sight. ↑ and ↓ move between the rows. */
export function PaymentTable({ payments, hasState, selected, select }: PaymentTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  const names = useMemo(() => valuesOf(payments.map(({ payment }) => payment)), [payments]);
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
            <PaymentHeads names={names} />
            {hasState && (
              <th scope="col" className={`${classes['wide']} ${classes['state']}`}>
                {text.state}
              </th>
            )}
            <th scope="col" className={`${classes[hasState ? 'veryWide' : 'wide']} ${classes['instant']}`}>
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
                  <td className={classes['check']}>
                    <Checkbox
                      size="xs"
                      aria-label={text.select(payment.person?.name ?? payment.contractId)}
                      checked={selected.has(key) && canDecide(payment)}
                      disabled={!canDecide(payment)}
                      onChange={toggle}
                    />
                  </td>
                )}
                <PaymentCells
                  names={names}
                  note={payment.isOwn && text.own}
                  contractId={payment.contractId}
                  payment={payment.payment}
                  name={
                    <button
                      type="button"
                      className={classes['open']}
                      onKeyDown={move}
                      onClick={() => change({ payment: key })}
                    >
                      {payment.person?.name ?? text.noPersonName}
                    </button>
                  }
                >
                  {hasState && (
                    <div className={classes['narrow']}>
                      <StateBadge state={payment.state} />
                    </div>
                  )}
                </PaymentCells>
                {hasState && (
                  <td className={classes['wide']}>
                    <StateBadge state={payment.state} />
                  </td>
                )}
                <td className={classes[hasState ? 'veryWide' : 'wide']}>{format.shortInstant(payment.submittedAt)}</td>
              </tr>
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}
