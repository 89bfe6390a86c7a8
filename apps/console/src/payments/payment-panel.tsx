import { CloseButton, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useFocusReturn } from '../shell/use-focus-return.ts';
import { Facts, type Fact } from '../components/facts.tsx';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { ScreenState } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import type { InboxPayment, PaymentDetails } from './payment-inbox.ts';
import { useValues } from './payment-table.tsx';
import {
  canDecide,
  DecideButtons,
  FailureReason,
  Go,
  Notice,
  Settle,
  StateBadge,
  type Decide,
} from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

/**
 * Everything about a payment, and what can be done with it.
 *
 * @param id - Key of the payment.
 */
export function PaymentPanel({ id, decide }: { readonly id: string; readonly decide: Decide }): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  const query = useScreen<PaymentDetails>(`payments/${encodeURIComponent(id)}`, {}, { kinds: ['payments'] });
  useFocusReturn();
  const { person, contractId } = query.data?.payment ?? {};
  return (
    <Drawer opened onClose={() => change({ payment: undefined })} position="right" size="md" withCloseButton={false}>
      <Stack gap="lg">
        {/* A header of the component library would be a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap">
          <Drawer.Title fw={600}>{person?.name ?? contractId ?? text.payment}</Drawer.Title>
          <CloseButton aria-label={text.close} onClick={() => change({ payment: undefined })} />
        </Group>
        <ScreenState query={query} skeleton={<Skeleton height={240} />}>
          {(details) => <Details details={details} decide={decide} />}
        </ScreenState>
      </Stack>
    </Drawer>
  );
}

interface DetailsProps {
  readonly details: PaymentDetails;
  readonly decide: Decide;
}

function Details({ details: { payment: shown, events }, decide }: DetailsProps): ReactNode {
  const text = useMessages(messages);
  const isApprover = useRole('approver');
  const { state, bar, paymentId, entry } = shown;
  const batch = entry?.batch;
  return (
    <>
      <div>
        <StateBadge state={state} />
        <Text c="dimmed">{text.stateHints[state]}</Text>
      </div>
      {state === 'submitted' && paymentId !== undefined && (
        <>
          {isApprover && canDecide(shown) && <DecideButtons chosen={{ payments: [shown] }} decide={decide} />}
          {isApprover && bar && <Notice title={text.barTitle}>{text.bars[bar]}</Notice>}
          {!isApprover && <Text c="dimmed">{text.noApprover}</Text>}
        </>
      )}
      {state === 'submitted' && paymentId === undefined && <Notice>{text.unlisted}</Notice>}
      {entry && (state === 'unknown' || state === 'refused') && (
        <Settle state={state} count={1} of={{ entryId: entry.id }}>
          <FailureReason {...entry} />
        </Settle>
      )}
      <PaymentFacts payment={shown} />
      {batch !== undefined && (
        <Go style={{ alignSelf: 'flex-start' }} to={{ view: 'batches', batch, payment: undefined, state: undefined }}>
          {text.showBatch}
        </Go>
      )}
      <section>
        <Title order={3} mb="sm">
          {text.timeline}
        </Title>
        <Timeline payment={shown} events={events} />
      </section>
    </>
  );
}

function PaymentFacts({ payment: shown }: { readonly payment: InboxPayment }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { person, contractId, payment, masterCostCenter } = shown;
  const { billingPeriod, correctionPeriod = billingPeriod, compensationComponentId } = payment;
  const personName = person ? (
    <Link className={classes['link']} to="/people/$personId" params={{ personId: person.id }}>
      {person.name}
    </Link>
  ) : (
    text.noPersonName
  );
  const contract = (
    <Link className={classes['link']} to="/contracts/$contractId" params={{ contractId }}>
      {contractId}
    </Link>
  );
  const values = useValues()(payment).map(([, label, value]): Fact => [label, value]);
  return (
    <Facts
      facts={[
        [text.person, personName],
        [text.cells.contractId, contract],
        [text.cells.billingPeriod, format.month(billingPeriod)],
        [text.cells.correctionPeriod, format.month(correctionPeriod)],
        [
          text.cells.compensationComponentId,
          <LabelText key="component" kind="compensationComponent" id={compensationComponentId} />,
        ],
        ...values,
        [text.costCenter, masterCostCenter],
      ]}
    />
  );
}

/** Who submitted the payment and who decided on it, with the ids of the requests. */
function Timeline({ payment, events }: Pick<PaymentDetails, 'payment' | 'events'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { paymentId, state, submittedAt, submittedBy, submitters, decision, entry } = payment;
  const who = (person: string | undefined, client: string): string =>
    text.by(person === undefined ? text.client(client) : text.via(person, client));
  const requestOf = (name: string): string | undefined =>
    events.find(({ operation }) => operation === `${name}VariablePayment`)?.requestId;
  const step = (at: string | undefined, by: string, requestId: string | undefined, reason?: string): ReactNode => (
    <>
      {format.instant(at)} {by}
      {reason !== undefined && <Text>{`${text.reason}: ${reason}`}</Text>}
      {requestId !== undefined && (
        <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {text.requestId}: {requestId}
        </Text>
      )}
    </>
  );
  const submitter = who(submitters.length > 0 ? format.list(submitters) : undefined, submittedBy);
  const decide = state === 'approved' ? 'operatorApprove' : 'operatorReject';
  return (
    <Facts
      facts={[
        [
          paymentId === undefined ? text.sent : text.submitted,
          step(submittedAt, submitter, requestOf('submit') ?? entry?.requestId),
        ],
        [
          text.states[state],
          decision && step(decision.at, who(decision.person, decision.by ?? ''), requestOf(decide), decision.reason),
        ],
      ]}
    />
  );
}
