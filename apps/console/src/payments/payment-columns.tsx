import { Text } from '@mantine/core';
import type { OutboxPayment } from '@hr/client/mirror';
import type { PaymentField } from '@hr/text/read-payment';
import type { ReactNode } from 'react';
import type { GridColumn } from '../components/grid.tsx';
import { useFormat, type Format } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { ContractPerson } from './contract-persons.ts';
import { messages } from './messages.ts';
import classes from './payments.module.css';

/** The values of a payment, in the order of the API. */
export const valueNames = ['amount', 'hours', 'days', 'hourlyFactor', 'percentage'] as const satisfies PaymentField[];
type ValueName = (typeof valueNames)[number];

/** A value without a unit, because the API states none. */
export function valueText(format: Format, name: ValueName, value: number | undefined): string {
  if (value === undefined) return '';
  return name === 'amount' ? format.amount(value) : format.number(value);
}

/** Returns the values of a payment with their names. */
export function useValues(): (payment: OutboxPayment) => [name: ValueName, label: string, value: string][] {
  const text = useMessages(messages);
  const format = useFormat();
  return (payment) =>
    valueNames.flatMap((name) =>
      payment[name] === undefined ? [] : [[name, text.cells[name], valueText(format, name, payment[name])]],
    );
}

interface ShownPayment {
  readonly contractId: string;
  /** Undefined if the local copy does not have the contract. */
  readonly person: ContractPerson | undefined;
  readonly payment: OutboxPayment;
}

/** The columns that all tables of payments share. */
export function usePaymentColumns<Row extends ShownPayment>(noteOf: (row: Row) => ReactNode): GridColumn<Row>[] {
  const text = useMessages(messages);
  const format = useFormat();
  const valuesOf = useValues();
  const { nameWithKey } = useLabels();
  return [
    {
      id: 'person',
      header: text.person,
      width: 'minmax(9rem, 2fr)',
      card: [1, 'start'],
      render: (row) => (
        <>
          <div className={classes['name']}>{row.person?.name ?? text.noPersonName}</div>
          <Text c="dimmed" fz="xs" component="div">
            {row.contractId}
            {noteOf(row)}
          </Text>
        </>
      ),
      title: ({ person, contractId }) => person?.name ?? contractId,
    },
    {
      id: 'period',
      header: text.cells.billingPeriod,
      width: 'minmax(6.5rem, 1fr)',
      card: [2, 'start'],
      render: ({ payment: { billingPeriod, correctionPeriod = billingPeriod } }) => (
        <>
          {format.month(billingPeriod)}
          {correctionPeriod !== billingPeriod && (
            <Text c="dimmed" fz="xs">
              {text.correctionOf(format.month(correctionPeriod))}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'component',
      header: text.component,
      width: 'minmax(7.5rem, 1.6fr)',
      card: [3, 'start'],
      render: ({ payment }) => <LabelText kind="compensationComponent" id={payment.compensationComponentId} />,
      title: ({ payment }) => nameWithKey('compensationComponent', payment.compensationComponentId),
    },
    {
      id: 'amount',
      header: text.cells.amount,
      width: '6.5rem',
      figures: 'end',
      card: [1, 'end'],
      render: ({ payment }) => valueText(format, 'amount', payment.amount),
    },
    {
      id: 'others',
      header: text.otherValues,
      width: 'minmax(8.5rem, 1fr)',
      card: [2, 'end'],
      render: ({ payment }) => {
        const others = valuesOf(payment).filter(([name]) => name !== 'amount');
        return others.map(([name, label, value]) => <div key={name}>{`${label} ${value}`}</div>);
      },
    },
  ];
}
