import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChecks, IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { Failure } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import type { InboxPayment, SentEntry } from './payment-inbox.ts';
import { FailureReason, Notice } from './payment-parts.tsx';
import { usePaymentsSearch } from './payments-search.ts';

interface ResendEntryProps {
  readonly entry: SentEntry;
  readonly payment: InboxPayment;
}

/** What is known of a payment without a usable response, and how to go on. What cannot pay twice comes first. */
export function ResendEntry({ entry, payment: { state, contractId } }: ResendEntryProps): ReactNode {
  const text = useMessages(messages);
  const isEditor = useRole('editor');
  const { canResend, mayPayTwice, wasResent } = entry;
  const isUnknown = state === 'unknown';
  const resend = canResend && isEditor && <Resend entry={entry} isUnknown={isUnknown} />;
  return (
    <Notice isQuestion title={isUnknown ? text.whatToDo : text.states[state]}>
      <Stack gap="sm" align="flex-start">
        <FailureReason {...entry} />
        {!mayPayTwice && resend}
        {isUnknown && <Compare entry={entry} contractId={contractId} isEditor={isEditor} />}
        {mayPayTwice && resend}
        {wasResent && <Text>{text.wasResent}</Text>}
        {canResend && !isEditor && <Text>{text.noEditor}</Text>}
      </Stack>
    </Notice>
  );
}

interface CompareProps {
  readonly entry: SentEntry;
  readonly contractId: string;
  readonly isEditor: boolean;
}

/** What the service lists that may be the payment. */
function Compare({ entry: { id, unexplained }, contractId, isEditor }: CompareProps): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  const client = useQueryClient();
  const reconcile = useMutation<{ readonly state: string }, BffError>({
    mutationFn: () => bff.post('payments/reconcile', { entryId: id }),
    onSuccess: (found) => {
      // The list shows it as a decided payment, so this panel closes.
      if (found.state === 'approved') notifications.show({ message: text.foundApproved });
      if (found.state === 'rejected') notifications.show({ message: text.foundRejected });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
  return (
    <>
      <Text>
        {unexplained === 0 ? text.noEqual : text.someEqual(unexplained)}{' '}
        <Anchor component="button" inherit onClick={() => change({ payment: undefined, state: 'all', q: contractId })}>
          {text.showEqual}
        </Anchor>
      </Text>
      {isEditor && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconChecks size={14} aria-hidden />}
          loading={reconcile.isPending}
          onClick={() => reconcile.mutate()}
        >
          {text.reconcile}
        </Button>
      )}
      {reconcile.data && <Text component="output">{text.notApproved}</Text>}
      {reconcile.error && <Failure error={reconcile.error} />}
    </>
  );
}

/** Sends the payment again. */
function Resend({
  entry: { id, mayPayTwice },
  isUnknown,
}: {
  readonly entry: SentEntry;
  readonly isUnknown: boolean;
}): ReactNode {
  const text = useMessages(messages);
  const client = useQueryClient();
  const [isAllowed, setAllowed] = useState(false);
  const resend = useMutation<{ readonly state: string }, BffError>({
    mutationFn: () => bff.post('payments/resend', { entryId: id, ...(mayPayTwice && { mayPayTwice: true }) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
  const outcome = { sent: text.resent, unknown: text.stillUnknown, refused: text.stillRefused }[
    resend.data?.state ?? ''
  ];
  return (
    <>
      <Text>{isUnknown ? (mayPayTwice ? text.unsafeResend : text.safeResend) : text.refusedResend}</Text>
      {mayPayTwice && (
        <Checkbox
          label={text.allowTwice}
          checked={isAllowed}
          onChange={({ currentTarget }) => setAllowed(currentTarget.checked)}
        />
      )}
      <Button
        {...(!isUnknown || mayPayTwice ? { variant: 'default' } : {})}
        size="xs"
        leftSection={<IconSend size={14} aria-hidden />}
        disabled={mayPayTwice && !isAllowed}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {text.resend}
      </Button>
      {outcome !== undefined && <Text component="output">{outcome}</Text>}
      {resend.error && <Failure error={resend.error} />}
    </>
  );
}
