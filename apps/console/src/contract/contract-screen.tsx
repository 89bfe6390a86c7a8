import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { useSearchOf } from '../shell/search.ts';
import { ApprovedPayments } from './approved-payments.tsx';
import type { ContractScreen as Data } from './contract-routes.ts';
import { EmploymentFacts } from './employment-facts.tsx';
import { messages } from './messages.ts';
import type { ContractSearch } from './contract-search.ts';
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
          <Anchor component={Link} to="/people" mt="xs" display="inline-block">
            {text.people}
          </Anchor>
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
      <ScreenState query={query} skeleton={<Outline />}>
        {(data) => (
          <Stack gap="lg">
            {data.owner && <EmploymentFacts owner={data.owner} />}
            <SalarySection data={data} search={search} show={show} />
            <ApprovedPayments {...data} />
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
      <Anchor
        underline="always"
        renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId: owner.personId }} />}
      >
        {owner.name}
      </Anchor>
      {owner.jobTitle && ` · ${owner.jobTitle}`}
    </>
  );
}

function Outline(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton h={150} />
      <Skeleton h={520} />
      <Skeleton h={200} />
    </Stack>
  );
}
