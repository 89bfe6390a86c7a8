import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import type { Totals } from '../model/totals.ts';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';

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
