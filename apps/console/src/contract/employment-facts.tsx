import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { ContractOwner } from './contract-routes.ts';
import css from './contract.module.css';
import { messages } from './messages.ts';

const workingHours = ['daily', 'weekly', 'monthly'] as const;

/** What the service states of the employment. What it does not state is left out. */
export function EmploymentFacts({ owner }: { readonly owner: ContractOwner }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { employment, seenAt, otherContracts } = owner;
  const { fullTime, permanent, personGroupCode, workingHours: hours, paymentTime } = employment;
  const stated = workingHours.flatMap((name) =>
    typeof hours?.[name] === 'number' ? `${format.number(hours[name])} ${text.hours[name]}` : [],
  );
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [text.facts.start, format.date(employment.start)],
    [text.facts.end, format.date(employment.end)],
    [text.facts.fixedTermEndDate, employment.fixedTermEndDate && format.date(employment.fixedTermEndDate)],
    [text.facts.fullTime, typeof fullTime === 'boolean' && text.fullTime[`${fullTime}`]],
    [text.facts.permanent, typeof permanent === 'boolean' && text.permanent[`${permanent}`]],
    [text.facts.hours, stated.join(' · ')],
    [text.facts.personGroupCode, personGroupCode && <LabelText key="group" kind="personGroup" id={personGroupCode} />],
    [text.facts.paymentTime, paymentTime === 'FIFTEENTH' ? text.fifteenth : paymentTime],
    [text.facts.otherContracts, otherContracts.length > 0 && <ContractLinks ids={otherContracts} />],
  ];
  return (
    <Box className="panel" p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{text.employment}</Title>
        <Text c="dimmed" size="xs">
          {seenAt && text.asOf(format.instant(seenAt))}
        </Text>
      </Group>
      <dl className={css['facts']}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Box>
  );
}

function ContractLinks({ ids }: { readonly ids: readonly string[] }): ReactNode {
  return ids.map((contractId, index) => (
    <Fragment key={contractId}>
      {index > 0 && ', '}
      <Anchor size="md" renderRoot={(props) => <Link {...props} to="/contracts/$contractId" params={{ contractId }} />}>
        {contractId}
      </Anchor>
    </Fragment>
  ));
}
