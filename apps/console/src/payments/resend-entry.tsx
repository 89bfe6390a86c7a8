import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChecks, IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { bff } from '../web/bff.ts';
import type { BffError } from '../web/bff.ts';
import { useMessages } from '../web/locale.tsx';
import { Failure } from '../web/page.tsx';
import { useRole } from '../web/session.tsx';
import { messages } from './messages.ts';
import { Notice } from './payment-parts.tsx';
import type { InboxPayment, SentEntry } from './payment-inbox.ts';
import { usePaymentsSearch } from './payments-search.ts';

interface ResendEntryProps {
  readonly entry: SentEntry;
  readonly payment: InboxPayment;
}

/** What is known of a payment without a usable response, and how to go on. */
export function ResendEntry({ entry, payment: { state, contractId } }: ResendEntryProps): ReactNode {
  const text = useMessages(messages);
  const isEditor = useRole('editor');
  const [, change] = usePaymentsSearch();
  const client = useQueryClient();
  const [isAllowed, setAllowed] = useState(false);
  const { id, code, message, canResend, mayPayTwice, wasResent, unexplained } = entry;
  const resend = useMutation<{ readonly state: string }, BffError>({
    mutationFn: () => bff.post('payments/resend', { entryId: id, ...(mayPayTwice && { mayPayTwice: true }) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
  const reconcile = useMutation<{ readonly state: string }, BffError>({
    mutationFn: () => bff.post('payments/reconcile', { entryId: id }),
    onSuccess: (found) => {
      // The list shows it as an approved payment, so this panel closes.
      if (found.state === 'approved') notifications.show({ message: text.foundApproved });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
  const isUnknown = state === 'unknown';
  const outcome = { sent: text.resent, unknown: text.stillUnknown, rejected: text.stillRefused }[
    resend.data?.state ?? ''
  ];

  return (
    <Notice isQuestion title={isUnknown ? text.whatToDo : text.states[state]}>
      <Stack gap="sm" align="flex-start">
        {code !== undefined && <Text>{text.codes[code] ?? text.otherCode(code)}</Text>}
        {message !== undefined && (
          <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }} lang="en">
            {message}
          </Text>
        )}
        {isUnknown && (
          <>
            <Text>{unexplained === 0 ? text.noEqual : text.someEqual(unexplained)}</Text>
            <Anchor component="button" onClick={() => change({ payment: undefined, state: 'all', q: contractId })}>
              {text.showEqual}
            </Anchor>
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
        )}
        {wasResent && <Text>{text.wasResent}</Text>}
        {canResend && (
          <>
            <Text>{isUnknown ? (mayPayTwice ? text.unsafeResend : text.safeResend) : text.refusedResend}</Text>
            {isEditor && (
              <>
                {mayPayTwice && (
                  <Checkbox
                    label={text.allowTwice}
                    checked={isAllowed}
                    onChange={({ currentTarget }) => setAllowed(currentTarget.checked)}
                  />
                )}
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconSend size={14} aria-hidden />}
                  disabled={mayPayTwice && !isAllowed}
                  loading={resend.isPending}
                  onClick={() => resend.mutate()}
                >
                  {text.resend}
                </Button>
              </>
            )}
          </>
        )}
        {outcome !== undefined && <Text component="output">{outcome}</Text>}
        {resend.error && <Failure error={resend.error} />}
      </Stack>
    </Notice>
  );
}
