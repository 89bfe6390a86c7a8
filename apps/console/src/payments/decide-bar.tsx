import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import classes from './payments.module.css';

/** Payments that a person wants to decide on. */
export interface Deciding {
  readonly decision: 'approve' | 'reject';
  readonly payments: readonly InboxPayment[];
}

interface DecideProps {
  readonly payments: readonly InboxPayment[];
  /** Asks for the reason, and decides. */
  readonly decide: (deciding: Deciding) => void;
}

/** What to do with the selected payments. */
export function DecideBar({ payments, decide, clear }: DecideProps & { readonly clear: () => void }): ReactNode {
  const text = useMessages(messages);
  return (
    <Group className={`panel ${classes['bar']}`} justify="space-between" gap="sm">
      <Text fw={500} aria-live="polite">
        {text.selected(payments.length)}
      </Text>
      <Group gap="xs">
        <Button variant="subtle" size="xs" onClick={clear}>
          {text.clear}
        </Button>
        <DecideButtons payments={payments} decide={decide} />
      </Group>
    </Group>
  );
}

/** Approves or rejects payments, after a dialog. */
export function DecideButtons({ payments, decide }: DecideProps): ReactNode {
  const text = useMessages(messages);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => decide({ decision: 'reject', payments })}
      >
        {text.reject}
      </Button>
      <Button
        size="xs"
        leftSection={<IconCheck size={14} aria-hidden />}
        onClick={() => decide({ decision: 'approve', payments })}
      >
        {text.approve}
      </Button>
    </>
  );
}
