import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bff, readAgain, type BffError } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { Failure } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import { Notice } from './payment-parts.tsx';
import type { Resent, Settlement } from './settle-entries.ts';

interface SettleProps {
  readonly state: 'unknown' | 'refused';
  readonly count: number;
  /** Which ones. Empty for all of them. */
  readonly of: { readonly batch?: string; readonly entryId?: string };
  readonly children?: ReactNode;
}

/** Asks the service for payments whose outcome is unknown, and sends those again that cannot be paid twice. */
export function Settle({ state, count, of, children }: SettleProps): ReactNode {
  const text = useMessages(messages);
  const isEditor = useRole('editor');
  const client = useQueryClient();
  const onSettled = (): Promise<void> => readAgain(client, 'payments');
  const settle = useMutation<Settlement, BffError>({ mutationFn: () => bff.post('payments/settle', of), onSettled });
  const resend = useMutation<Resent, BffError>({ mutationFn: () => bff.post('payments/resend', of), onSettled });
  if (count === 0 && settle.data === undefined) return null;
  const isRefused = state === 'refused';
  const { unknown = 0, notAccepted = 0 } = settle.data ?? {};
  const resendable = isRefused ? count : unknown + notAccepted;
  const todo = isRefused ? text.refusedResend : text.unknownAlertText;
  const title = count === 0 ? text.settled : text.unknownAlert(count);
  return (
    <Notice isQuestion role="status" title={isRefused ? text.states.refused : title}>
      <Stack gap="xs" align="flex-start">
        <Text>{settle.data ? text.settlement(settle.data) : isEditor ? todo : text.noEditor}</Text>
        {resend.data && <Text>{text.resent(resend.data)}</Text>}
        {!isRefused && resendable > 0 && <Text>{text.resendHint}</Text>}
        <Group gap="xs">
          {children}
          {isEditor && !isRefused && (
            <Button variant="default" size="xs" loading={settle.isPending} onClick={() => settle.mutate()}>
              {text.settle}
            </Button>
          )}
          {isEditor && resendable > 0 && !resend.data && (
            <Button size="xs" loading={resend.isPending} onClick={() => resend.mutate()}>
              {text.resend(resendable)}
            </Button>
          )}
        </Group>
        {settle.error && <Failure error={settle.error} />}
        {resend.error && <Failure error={resend.error} />}
      </Stack>
    </Notice>
  );
}
