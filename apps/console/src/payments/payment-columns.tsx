import { Text } from '@mantine/core';
import type { OutboxPayment } from '@hr/client/mirror';
import type { ReactNode } from 'react';
import { useFormat, type Format } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { CellName } from './payment-cells.ts';
import classes from './payments.module.css';

/** The values of a payment, in the order of the API. */
export const valueNames = ['amount', 'hours', 'days', 'hourlyFactor', 'percentage'] as const satisfies CellName[];
type ValueName = (typeof valueNames)[number];

/** Widths of their columns, in pixels. A value is never cut off. */
export const valueWidths: Readonly<Record<ValueName, number>> = {
  amount: 116,
  hours: 74,
  days: 62,
  hourlyFactor: 103,
  percentage: 91,
};

/** Returns the values that any of some payments has. */
export function valuesOf(payments: readonly OutboxPayment[]): ValueName[] {
  return valueNames.filter((name) => payments.some((payment) => payment[name] !== undefined));
}

/** A value without a unit, because the API states none. */
export function valueText(format: Format, name: ValueName, value: number | undefined): string {
  if (value === undefined) return '';
  return name === 'amount' ? format.amount(value) : format.number(value);
}

/** The heads of the columns that all tables of payments share. */
export function PaymentHeads({ names }: { readonly names: readonly ValueName[] }): ReactNode {
  const text = useMessages(messages);
  return (
    <>
      <th scope="col">{text.person}</th>
      <th scope="col" className={`${classes['wide']} ${classes['period']}`}>
        {text.cells.billingPeriod}
      </th>
      <th scope="col" className={`${classes['wide']} ${classes['component']}`}>
        {text.component}
      </th>
      {names.map((name) => (
        <th
          key={name}
          scope="col"
          className={`${classes['wide']} ${classes['number']}`}
          style={{ width: valueWidths[name] }}
        >
          {text.cells[name]}
        </th>
      ))}
      <th scope="col" className={classes['narrow']}>
        {text.values}
      </th>
    </>
  );
}

interface PaymentCellsProps {
  readonly names: readonly ValueName[];
  readonly contractId: string;
  readonly payment: OutboxPayment;
  /** Name of the person. */
  readonly name: ReactNode;
  /** What stands beside the contract. */
  readonly note?: string | false;
  /** What stands below it. */
  readonly children?: ReactNode;
}

/** The cells of a payment below {@link PaymentHeads}. Where they have no room, one cell has all values. */
export function PaymentCells({ names, contractId, payment, name, note, children }: PaymentCellsProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <>
      <td role="rowheader">
        <div className={classes['name']}>{name}</div>
        <Text c="dimmed" fz="xs">
          {contractId}
          {note && ` · ${note}`}
        </Text>
        {children}
      </td>
      <td className={classes['wide']}>
        {format.month(payment.billingPeriod)}
        <Correction payment={payment} />
      </td>
      <td className={classes['wide']}>{payment.compensationComponentId}</td>
      {names.map((value) => (
        <td key={value} className={`${classes['wide']} ${classes['number']}`}>
          {valueText(format, value, payment[value])}
        </td>
      ))}
      <td className={classes['narrow']}>
        {valuesOf([payment]).map((value) => (
          <div key={value}>
            <Text span c="dimmed" fz="sm">
              {text.cells[value]}
            </Text>{' '}
            {valueText(format, value, payment[value])}
          </div>
        ))}
        <Text c="dimmed" fz="xs">
          {text.component} {payment.compensationComponentId}
        </Text>
        <Text c="dimmed" fz="xs">
          {format.month(payment.billingPeriod)}
        </Text>
        <Correction payment={payment} />
      </td>
    </>
  );
}

/** The correction period, if it is not the billing period. */
function Correction({ payment }: { readonly payment: OutboxPayment }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { billingPeriod, correctionPeriod = billingPeriod } = payment;
  if (correctionPeriod === billingPeriod) return null;
  return (
    <Text c="dimmed" fz="xs">
      {text.correctionOf(format.month(correctionPeriod))}
    </Text>
  );
}
