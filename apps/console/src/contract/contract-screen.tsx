import type { VariablePayment } from '@hr/client';
import { Badge, Box, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useEmploymentColumns } from '../components/employment-columns.tsx';
import { Facts } from '../components/facts.tsx';
import { AnchorLink, PersonLink } from '../components/link.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { useScreen } from '../shell/bff.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { useSearchOf } from '../shell/search.ts';
import type { ContractScreen as Data } from './contract-routes.ts';
import css from './contract.module.css';
import type { ContractSearch } from './contract-search.ts';
import { messages } from './messages.ts';
import { SalarySection } from './salary-section.tsx';

export function ContractScreen(): ReactNode {
  const text = useMessages(messages);
  const { contractId = '' } = useParams({ strict: false });
  const [search, show] = useSearchOf<ContractSearch>();
  const { from, to } = search;
  const query = useScreen<Data>(
    `contracts/${encodeURIComponent(contractId)}`,
    { from, to },
    { kinds: ['persons', 'salaries', 'payments'], keepsData: true },
  );

  if (query.error?.problem.code === 'not-found' && query.data === undefined) {
    return (
      <Page title={text.contract(contractId)}>
        <Empty icon={<IconFileUnknown size={32} />} title={text.notFound}>
          <Text c="dimmed">{text.notFoundReason}</Text>
          <AnchorLink to="/people" mt="xs" display="inline-block">
            {text.people}
          </AnchorLink>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={text.contract(contractId)}
      description={query.data && <Owner {...query.data} />}
      request={{ operation: 'listSalaryHistory', path: { contractId }, query: { from, to } }}
    >
      <ScreenState
        query={query}
        skeleton={
          <Stack gap="lg">
            <Skeleton h={150} />
            <Skeleton h={520} />
            <Skeleton h={200} />
          </Stack>
        }
      >
        {(data) => (
          <Stack gap="lg">
            {data.owner && <EmploymentFacts owner={data.owner} />}
            <SalarySection data={data} search={search} show={show} />
            {data.hasPay && <ApprovedPayments {...data} />}
          </Stack>
        )}
      </ScreenState>
    </Page>
  );
}

function Owner({ owner }: Data): ReactNode {
  const text = useMessages(messages);
  if (!owner) return text.unknownOwner;
  return (
    <>
      <PersonLink id={owner.personId} underline="always">
        {owner.name}
      </PersonLink>
      {owner.jobTitle && ` · ${owner.jobTitle}`}
    </>
  );
}

function EmploymentFacts({ owner }: { readonly owner: NonNullable<Data['owner']> }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const columns = useEmploymentColumns();
  const { employment, seenAt, otherContracts } = owner;
  const links = otherContracts.map((contractId, index) => (
    <Fragment key={contractId}>
      {index > 0 && ', '}
      <AnchorLink to="/contracts/$contractId" params={{ contractId }}>
        {contractId}
      </AnchorLink>
    </Fragment>
  ));
  return (
    <Box className="panel" p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{text.employment}</Title>
        <Text c="dimmed" size="xs">
          {seenAt && text.asOf(format.instant(seenAt))}
        </Text>
      </Group>
      <Facts
        className={css['facts']}
        facts={[
          ...columns.map(({ header, render }) => [header, render(employment)] as const),
          [text.otherContracts, links.length > 0 && links],
        ]}
      />
    </Box>
  );
}

function ApprovedPayments({ contractId, payments }: Pick<Data, 'contractId' | 'payments'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const month = (value: string | null | undefined): string => (value ? format.month(value) : DASH);
  const columns: readonly TableColumn<VariablePayment>[] = [
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
    ...(['amount', 'hours', 'days', 'hourlyFactor', 'percentage'] as const)
      .filter((name) => payments?.some((payment) => typeof payment[name] === 'number'))
      .map((name): TableColumn<VariablePayment> => ({
        header: text.values[name],
        figures: 'end',
        render: ({ [name]: value }) => format[name === 'amount' ? 'amount' : 'number'](value ?? undefined),
      })),
  ];
  return (
    <Box className="panel">
      <Group justify="space-between" p="md" gap="xs">
        <Title order={2}>{text.payments}</Title>
        {/* Payments that wait for approval are not in this list, and must not be submitted again. */}
        <AnchorLink to="/payments" search={{ state: 'all', q: contractId }}>
          {text.allPayments}
        </AnchorLink>
      </Group>
      {payments?.length ? (
        <ScrollTable caption={text.paymentsCaption} isFramed rows={payments} columns={columns} />
      ) : (
        <Text c="dimmed" px="md" pb="md">
          {payments ? text.noPayments : text.noPaymentsList}
        </Text>
      )}
    </Box>
  );
}
