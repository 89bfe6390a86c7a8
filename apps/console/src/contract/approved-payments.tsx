import { Anchor, Badge, Box, Group, Table, Text, Title } from '@mantine/core';
import type { VariablePayment } from '@hr/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { ContractScreen } from './contract-routes.ts';
import css from './contract.module.css';
import { messages } from './messages.ts';

const valueNames = ['amount', 'hours', 'days', 'hourlyFactor', 'percentage'] as const;

/** The approved variable payments of the contract. */
export function ApprovedPayments({ contractId, payments }: Pick<ContractScreen, 'contractId' | 'payments'>): ReactNode {
  const text = useMessages(messages);
  return (
    <Box className="panel">
      <Group justify="space-between" p="md" gap="xs">
        <Title order={2}>{text.payments}</Title>
        {/* Payments that wait for approval are not in this list, and must not be submitted again. */}
        <Anchor renderRoot={(props) => <Link {...props} to="/payments" search={{ state: 'all', q: contractId }} />}>
          {text.allPayments}
        </Anchor>
      </Group>
      {payments === undefined || payments.length === 0 ? (
        <Text c="dimmed" px="md" pb="md">
          {payments === undefined ? text.noPaymentsList : text.noPayments}
        </Text>
      ) : (
        <PaymentTable payments={payments} />
      )}
    </Box>
  );
}

function PaymentTable({ payments }: { readonly payments: readonly VariablePayment[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const names = valueNames.filter((name) => payments.some((payment) => typeof payment[name] === 'number'));
  const month = (value: string | null | undefined): string => (value ? format.month(value) : DASH);
  return (
    // A part that scrolls needs the keyboard (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={css['scroll']} aria-label={text.paymentsCaption} tabIndex={0}>
      <Table highlightOnHover verticalSpacing={6} horizontalSpacing="md" data-table="payments">
        <Table.Caption className={css['caption']}>{text.paymentsCaption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.billingPeriod}</Table.Th>
            <Table.Th scope="col">{text.correctionPeriod}</Table.Th>
            <Table.Th scope="col">{text.component}</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} scope="col" className={css['number']}>
                {text.values[name]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {payments.map((payment, index) => (
            // Payments have no id, and equal ones are distinct.
            // oxlint-disable-next-line react/no-array-index-key
            <Table.Tr key={index}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{month(payment.billingPeriod)}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Group gap="xs" wrap="nowrap">
                  {month(payment.correctionPeriod)}
                  {payment.correctionPeriod && payment.correctionPeriod !== payment.billingPeriod && (
                    <Badge variant="outline" color="gray" c="dimmed" radius="sm" tt="none" miw="max-content">
                      {text.correction}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>{payment.compensationComponentId}</Table.Td>
              {names.map((name) => (
                <Table.Td key={name} className={css['number']}>
                  {name === 'amount'
                    ? format.amount(payment[name] ?? undefined)
                    : format.number(payment[name] ?? undefined)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
