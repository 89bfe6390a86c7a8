import { Alert, Box, Button, Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClockHour4,
  IconHelpHexagon,
  IconSend2,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import classes from './payments.module.css';
import type { InboxPayment, PaymentState } from './payment-inbox.ts';
import { submitMessages } from './submit-messages.ts';
import type { SubmissionResult } from './submissions.ts';

const icons = {
  submitted: { Icon: IconClockHour4, color: 'blue' },
  approved: { Icon: IconCircleCheck, color: 'green' },
  rejected: { Icon: IconCircleX, color: 'red' },
  sending: { Icon: IconSend2, color: 'blue' },
  unknown: { Icon: IconHelpHexagon, color: 'orange' },
  refused: { Icon: IconBan, color: 'red' },
} as const;

const stateOfResult: Readonly<Record<SubmissionResult['state'], PaymentState>> = {
  waiting: 'sending',
  sending: 'sending',
  sent: 'submitted',
  approved: 'approved',
  rejected: 'rejected',
  refused: 'refused',
  unknown: 'unknown',
  'not-sent': 'refused',
};

/** Whether the person may decide on a payment, if the role allows it. */
export function canDecide({ state, paymentId, isOwn }: InboxPayment): boolean {
  return state === 'submitted' && paymentId !== undefined && !isOwn;
}

/** The state of a payment as an icon and a text. */
export function StateBadge({ state }: { readonly state: PaymentState }): ReactNode {
  const text = useMessages(messages);
  return <Badge state={state} label={text.states[state]} />;
}

/** What became of a row of a batch, as an icon and a text. */
export function ResultBadge({ state }: { readonly state: SubmissionResult['state'] }): ReactNode {
  const text = useMessages(submitMessages);
  return <Badge state={stateOfResult[state]} label={text.resultStates[state]} />;
}

function Badge({ state, label }: { readonly state: PaymentState; readonly label: string }): ReactNode {
  const { Icon, color } = icons[state];
  return (
    <span className={classes['badge']}>
      <Box component="span" c={`var(--mantine-color-${color}-text)`} display="flex">
        <Icon size={16} aria-hidden />
      </Box>
      {label}
    </span>
  );
}

/** A warning beside what it is about. */
export function Warning({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Box component="span" c="var(--mantine-color-orange-text)" display="flex" mt={2}>
        <IconAlertTriangle size={14} aria-hidden />
      </Box>
      <Text fz="xs">{children}</Text>
    </Group>
  );
}

/** Why the service did not accept a payment, or why that is unknown. */
export function FailureReason({
  code,
  message,
}: Pick<SubmissionResult, 'message'> & { readonly code: string | undefined }): ReactNode {
  const text = useMessages(messages);
  if (code === undefined) return null;
  const reason = text.codes[code];
  return (
    <div>
      <Text fz="sm">{reason ?? text.otherCode(code)}</Text>
      {/* It is for developers, but it names the values that the service rejected. */}
      {message !== undefined && (reason === undefined || code === 'invalid-request') && (
        <Text c="dimmed" fz="xs" lang="en" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly title?: string | undefined;
  /** Whether it asks a question or says that something is unknown. */
  readonly isQuestion?: boolean;
  readonly role?: 'alert' | 'status';
  readonly children?: ReactNode;
}

/** What a person must see before going on. */
export function Notice({ title, isQuestion = false, role, children }: NoticeProps): ReactNode {
  return (
    <Alert
      color="orange"
      variant="outline"
      icon={isQuestion ? <IconHelpHexagon aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={title}
      role={role}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {children}
    </Alert>
  );
}

interface AlarmProps extends Pick<NoticeProps, 'role'> {
  readonly title: string;
  readonly text: string;
  readonly show: () => void;
}

/** Payments that a person has to look into. */
export function Alarm({ title, text, role, show }: AlarmProps): ReactNode {
  const { show: label } = useMessages(messages);
  return (
    <Notice isQuestion {...(role && { role })}>
      <Group justify="space-between" gap="xs">
        <span>
          <b>{title}.</b> {text}
        </span>
        <Button variant="default" size="xs" onClick={show}>
          {label}
        </Button>
      </Group>
    </Notice>
  );
}
