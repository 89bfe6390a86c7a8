import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import type { Totals } from '../model/totals.ts';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import classes from './payments.module.css';

/** Some payments, or all of a batch that wait. */
export type Chosen =
  | { readonly payments: readonly InboxPayment[] }
  | { readonly batch: string; readonly waiting: Totals };

/** Payments that a person wants to decide on. */
export interface Deciding {
  readonly decision: 'approve' | 'reject';
  readonly chosen: Chosen;
}

/** Asks for the reason, and decides. */
export type Decide = (deciding: Deciding) => void;

interface DecideBarProps {
  readonly payments: readonly InboxPayment[];
  readonly decide: Decide;
  readonly clear: () => void;
}

/** What to do with the selected payments. */
export function DecideBar({ payments, decide, clear }: DecideBarProps): ReactNode {
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
        <DecideButtons chosen={{ payments }} decide={decide} />
      </Group>
    </Group>
  );
}

/** Approves or rejects payments, after a dialog. */
export function DecideButtons({ chosen, decide }: { readonly chosen: Chosen; readonly decide: Decide }): ReactNode {
  const text = useMessages(messages);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => decide({ decision: 'reject', chosen })}
      >
        {text.reject}
      </Button>
      <Button
        size="xs"
        leftSection={<IconCheck size={14} aria-hidden />}
        onClick={() => decide({ decision: 'approve', chosen })}
      >
        {text.approve}
      </Button>
    </>
  );
}
