import { CloseButton, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useFocusReturn } from '../shell/use-focus-return.ts';
import { Facts, type Fact } from '../components/facts.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { ScreenState } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { DecideButtons, type Deciding } from './decide-bar.tsx';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import { valuesOf, valueText } from './payment-columns.tsx';
import { canDecide, Notice, StateBadge } from './payment-parts.tsx';
import classes from './payments.module.css';
import type { PaymentEvent } from './payments-routes.ts';
import { usePaymentsSearch } from './payments-search.ts';
import { ResendEntry } from './resend-entry.tsx';

interface PaymentPanelProps {
  readonly payment: InboxPayment;
  readonly decide: (deciding: Deciding) => void;
}

/** Everything about a payment, and what can be done with it. */
export function PaymentPanel({ payment: shown, decide }: PaymentPanelProps): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  const isApprover = useRole('approver');
  useFocusReturn();
  const { person, contractId, state, isOwn, isAmbiguous, paymentId, entry } = shown;
  return (
    <Drawer opened onClose={() => change({ payment: undefined })} position="right" size="md" withCloseButton={false}>
      <Stack gap="lg">
        {/* A header of the component library would be a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap">
          <Drawer.Title fw={600}>{person?.name ?? contractId}</Drawer.Title>
          <CloseButton aria-label={text.close} onClick={() => change({ payment: undefined })} />
        </Group>
        <div>
          <StateBadge state={state} />
          <Text c="dimmed">{text.stateHints[state]}</Text>
        </div>
        {state === 'submitted' && paymentId !== undefined && (
          <>
            {isApprover && canDecide(shown) && (
              <Group gap="xs">
                <DecideButtons payments={[shown]} decide={decide} />
              </Group>
            )}
            {isApprover && isOwn && <Notice title={text.ownTitle}>{text.ownText}</Notice>}
            {!isApprover && <Text c="dimmed">{text.noApprover}</Text>}
          </>
        )}
        {isAmbiguous && <Notice>{text.ambiguous}</Notice>}
        {state === 'submitted' && entry && <Notice>{text.unlisted}</Notice>}
        {entry && (state === 'unknown' || state === 'refused') && <ResendEntry entry={entry} payment={shown} />}
        <PaymentFacts payment={shown} />
        <section>
          <Title order={3} mb="sm">
            {text.timeline}
          </Title>
          {paymentId === undefined ? (
            <Timeline payment={shown} events={[]} />
          ) : (
            <EventTimeline payment={shown} id={paymentId} />
          )}
        </section>
      </Stack>
    </Drawer>
  );
}

function PaymentFacts({
  payment: { person, contractId, payment, masterCostCenter },
}: {
  readonly payment: InboxPayment;
}): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
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
  const values = valuesOf([payment]).map((name): Fact => [text.cells[name], valueText(format, name, payment[name])]);
  return (
    <Facts
      facts={[
        [text.person, personName],
        [text.cells.contractId, contract],
        [text.cells.billingPeriod, format.month(billingPeriod)],
        [text.cells.correctionPeriod, format.month(correctionPeriod)],
        [text.cells.compensationComponentId, compensationComponentId],
        ...values,
        [text.costCenter, masterCostCenter],
      ]}
    />
  );
}

function EventTimeline({ payment, id }: { readonly payment: InboxPayment; readonly id: string }): ReactNode {
  const query = useScreen<PaymentEvent[]>(`payments/${encodeURIComponent(id)}/events`, {}, { kinds: ['payments'] });
  return (
    <ScreenState query={query} skeleton={<Skeleton height={80} />}>
      {(events) => <Timeline payment={payment} events={events} />}
    </ScreenState>
  );
}

/** Who submitted the payment and who decided on it, with the ids of the requests. */
function Timeline({
  payment,
  events,
}: {
  readonly payment: InboxPayment;
  readonly events: readonly PaymentEvent[];
}): ReactNode {
  const text = useMessages(messages);
  const { state, submittedAt, submittedBy, submitters, isAmbiguous, decision, entry } = payment;
  const format = useFormat();
  const requestOf = (operation: string): string | undefined =>
    events.find((event) => event.operation === operation)?.requestId;
  const who = (person: string | undefined, client: string): string =>
    person === undefined ? text.client(client) : text.via(person, client);
  const submitter = who(submitters.length > 0 && !isAmbiguous ? format.list(submitters) : undefined, submittedBy);
  const isSubmitted = entry === undefined || state === 'submitted';
  const decider = who(decision?.person, decision?.by ?? '');
  return (
    <ol className={classes['timeline']}>
      <Step
        title={isSubmitted ? text.submittedBy(submitter) : text.sentBy(submitter)}
        at={submittedAt}
        requestId={entry?.requestId ?? requestOf('submitVariablePayment')}
      />
      {decision && (
        <Step
          title={state === 'approved' ? text.approvedBy(decider) : text.rejectedBy(decider)}
          at={decision.at}
          requestId={requestOf(
            state === 'approved' ? 'operatorApproveVariablePayment' : 'operatorRejectVariablePayment',
          )}
        >
          {decision.reason !== undefined && (
            <Text>
              {text.reason}: {decision.reason}
            </Text>
          )}
        </Step>
      )}
      {state === 'submitted' && <Step title={text.waiting} />}
    </ol>
  );
}

interface StepProps {
  readonly title: string;
  readonly at?: string | undefined;
  readonly requestId?: string | undefined;
  readonly children?: ReactNode;
}

function Step({ title, at, requestId, children }: StepProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <li>
      <Text fw={500}>{title}</Text>
      {at !== undefined && <Text c="dimmed">{format.instant(at)}</Text>}
      {children}
      {requestId !== undefined && (
        <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {text.requestId}: {requestId}
        </Text>
      )}
    </li>
  );
}
