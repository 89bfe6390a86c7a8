import { Anchor, Badge, Box, Group, Text, Title } from '@mantine/core';
import type { VariablePayment } from '@hr/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { ContractScreen } from './contract-routes.ts';
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
    <ScrollTable
      caption={text.paymentsCaption}
      hidesCaption
      isFramed
      minWidth={0}
      rows={payments}
      columns={[
        { header: text.billingPeriod, render: ({ billingPeriod }) => month(billingPeriod) },
        {
          header: text.correctionPeriod,
          render: ({ correctionPeriod, billingPeriod }) => (
            <Group gap="xs" wrap="nowrap">
              {month(correctionPeriod)}
              {correctionPeriod && correctionPeriod !== billingPeriod && (
                <Badge variant="outline" color="gray" c="dimmed" radius="sm" tt="none" miw="max-content">
                  {text.correction}
                </Badge>
              )}
            </Group>
          ),
        },
        {
          header: text.component,
          render: ({ compensationComponentId: id }) => <LabelText kind="compensationComponent" id={id} />,
        },
        ...names.map((name): TableColumn<VariablePayment> => ({
          header: text.values[name],
          figures: 'end',
          render: ({ [name]: value }) => format[name === 'amount' ? 'amount' : 'number'](value ?? undefined),
        })),
      ]}
    />
  );
}
