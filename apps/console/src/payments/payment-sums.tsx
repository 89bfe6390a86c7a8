import { Text } from '@mantine/core';
import type { OutboxPayment } from '@hr/client/mirror';
import type { ReactNode } from 'react';
import { sumOf } from '../model/sum-of.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { valuesOf, valueText } from './payment-columns.tsx';
import classes from './payments.module.css';

/** A sum of factors or percentages means nothing. */
const meaningless: ReadonlySet<string> = new Set(['hourlyFactor', 'percentage']);

/** Numbers and sums of payments by billing period and component, to compare with the sums of a spreadsheet. */
export function PaymentSums({ payments }: { readonly payments: readonly OutboxPayment[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const names = valuesOf(payments).filter((name) => !meaningless.has(name));
  const periods = new Set(payments.map(({ billingPeriod }) => billingPeriod));
  const groups = Map.groupBy(payments, (payment) =>
    JSON.stringify([payment.billingPeriod, payment.compensationComponentId]),
  );
  const sums = (some: readonly OutboxPayment[]): ReactNode => (
    <>
      <td className={classes['number']}>{format.number(some.length)}</td>
      {names.map((name) => {
        const values = some.flatMap((payment) => payment[name] ?? []);
        return (
          <td key={name} className={classes['number']}>
            {values.length > 0 && valueText(format, name, sumOf(values))}
          </td>
        );
      })}
    </>
  );
  return (
    <div className={`panel ${classes['sums']}`}>
      <table className={classes['table']}>
        <caption>{text.sums}</caption>
        <thead>
          <tr>
            <th scope="col">
              {text.component}
              {periods.size === 1 && ` · ${format.month(payments[0]?.billingPeriod ?? '')}`}
            </th>
            <th scope="col" className={classes['number']}>
              {text.number}
            </th>
            {names.map((name) => (
              <th key={name} scope="col" className={classes['number']}>
                {text.cells[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...groups]
            .toSorted(([one], [other]) => format.compare(one, other))
            .map(([key, some]) => (
              <tr key={key}>
                <td>
                  {some[0]?.compensationComponentId}
                  {periods.size > 1 && (
                    <Text c="dimmed" fz="xs">
                      {format.month(some[0]?.billingPeriod ?? '')}
                    </Text>
                  )}
                </td>
                {sums(some)}
              </tr>
            ))}
        </tbody>
        {groups.size > 1 && (
          <tfoot>
            <tr>
              <th scope="row">{text.sum}</th>
              {sums(payments)}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
