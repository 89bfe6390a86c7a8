import type { DecimalSign } from '@hr/text/decimal';
import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClockHour4,
  IconHelpHexagon,
  IconSend2,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { Check } from './check-payments.ts';
import { messages } from './messages.ts';
import classes from './payments.module.css';
import type { InboxPayment, SentEntry } from './payment-inbox.ts';
import { paymentStates, type PaymentState } from './payment-states.ts';
import { usePaymentsSearch } from './payments-search.ts';
import { submitMessages } from './submit-messages.ts';

const icons = {
  submitted: { Icon: IconClockHour4, color: 'blue' },
  approved: { Icon: IconCircleCheck, color: 'green' },
  rejected: { Icon: IconCircleX, color: 'red' },
  sending: { Icon: IconSend2, color: 'blue' },
  unknown: { Icon: IconHelpHexagon, color: 'orange' },
  refused: { Icon: IconBan, color: 'red' },
  'not-sent': { Icon: IconBan, color: 'orange' },
} as const;

/** These are shown only if there are any. */
const rareStates: ReadonlySet<PaymentState> = new Set(['unknown', 'sending', 'refused', 'not-sent']);

/** Whether the person may decide on a payment, if the role allows it. */
export function canDecide({ state, paymentId, bar }: InboxPayment): boolean {
  return state === 'submitted' && paymentId !== undefined && bar === undefined;
}

/** The state of a payment as an icon and a text. */
export function StateBadge({ state }: { readonly state: PaymentState }): ReactNode {
  const text = useMessages(messages);
  const { Icon, color } = icons[state];
  return (
    <span className={classes['badge']}>
      <Box component="span" c={`var(--mantine-color-${color}-text)`} display="flex">
        <Icon size={16} aria-hidden />
      </Box>
      {text.states[state]}
    </span>
  );
}

interface StateFilterProps {
  readonly counts: Readonly<Partial<Record<PaymentState | 'all', number>>>;
  readonly state: PaymentState | 'all';
  /** The state that the address does not name. */
  readonly initial: PaymentState | 'all';
}

/** Filters payments by their state, and says how many are in each. */
export function StateFilter({ counts, state, initial }: StateFilterProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  const choices = paymentStates.filter((name) => !rareStates.has(name) || (counts[name] ?? 0) > 0 || name === state);
  return (
    <Group gap={6} component="fieldset" aria-label={text.state} bd={0} m={0} p={0} miw={0}>
      {([...choices, 'all'] as const).map((name) => (
        <Button
          key={name}
          size="xs"
          variant={name === state ? 'outline' : 'default'}
          aria-pressed={name === state}
          onClick={() => change({ state: name === initial ? undefined : name })}
        >
          {name === 'all' ? text.all : text.states[name]} {format.number(counts[name] ?? 0)}
        </Button>
      ))}
    </Group>
  );
}

/** Leads to the list of payments, or of batches. */
export function BackButton({ view }: { readonly view?: 'batches' }): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconArrowLeft size={14} aria-hidden />}
      onClick={() => change({ view, batch: undefined, state: undefined })}
    >
      {view === undefined ? text.back : text.backToBatches}
    </Button>
  );
}

/** What the code of an error means for a payment. */
export function failureText({ codes, otherCode }: typeof messages.en, code: string): string {
  return (codes as Readonly<Record<string, string>>)[code] ?? otherCode(code);
}

/** Why the service did not accept a payment, or why that is unknown. */
export function FailureReason({ code, message }: Pick<SentEntry, 'code' | 'message'>): ReactNode {
  const text = useMessages(messages);
  if (code === undefined) return null;
  return (
    <div>
      <Text fz="sm">{failureText(text, code)}</Text>
      {/* It is for developers, but it names the values that the service rejected. */}
      {message !== undefined && (!(code in text.codes) || code === 'invalid-request') && (
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

/** Asks what a number such as `1.234` means. */
export function DecimalQuestion({
  question,
  answer,
}: {
  readonly question: NonNullable<Check['question']>;
  readonly answer: (sign: DecimalSign) => void;
}): ReactNode {
  const text = useMessages(submitMessages);
  const format = useFormat();
  return (
    <Notice role="alert" isQuestion title={text.question(question.text)}>
      <Stack gap="sm">
        <Text>{text.questionText}</Text>
        <Group gap="xs">
          {(['point', 'comma'] as const).map((sign) => (
            <Button
              key={sign}
              styles={{ label: { overflowWrap: 'anywhere' } }}
              variant="default"
              onClick={() => answer(sign)}
            >
              {format.number(question[sign])} ({text.decimalSigns[sign]})
            </Button>
          ))}
        </Group>
      </Stack>
    </Notice>
  );
}
