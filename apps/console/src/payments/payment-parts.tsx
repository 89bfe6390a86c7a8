import type { DecimalSign } from '@hr/text/decimal';
import { Alert, Box, Button, Group, Stack, Text, type ButtonProps } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconClockHour4,
  IconHelpHexagon,
  IconSend2,
  IconX,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../components/page.tsx';
import type { Totals } from '../model/totals.ts';
import { bff, readAgain, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { SearchOf } from '../shell/search.ts';
import { useRole } from '../shell/session.ts';
import type { Check } from './check-payments.ts';
import { messages } from './messages.ts';
import type { InboxPayment, SentEntry } from './payment-inbox.ts';
import { paymentStates, type PaymentState } from './payment-states.ts';
import classes from './payments.module.css';
import { usePaymentsSearch, type paymentsSearch } from './payments-search.ts';
import type { Resent, Settlement } from './settle-entries.ts';

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
  const choices = paymentStates.filter((name) => !rareStates.has(name) || (counts[name] ?? 0) > 0 || name === state);
  return (
    <Group gap={6} component="fieldset" aria-label={text.state} bd={0} m={0} p={0} miw={0}>
      {([...choices, 'all'] as const).map((name) => (
        <Go
          key={name}
          variant={name === state ? 'outline' : 'default'}
          aria-pressed={name === state}
          to={{ state: name === initial ? undefined : name }}
        >
          {name === 'all' ? text.all : text.states[name]} {format.number(counts[name] ?? 0)}
        </Go>
      ))}
    </Group>
  );
}

interface GoProps extends ButtonProps {
  /** What changes in the address. */
  readonly to: SearchOf<typeof paymentsSearch>;
  readonly 'aria-pressed'?: boolean;
}

/** Leads to another part of the payments. */
export function Go({ to, ...props }: GoProps): ReactNode {
  const [, change] = usePaymentsSearch();
  return <Button variant="default" size="xs" {...props} onClick={() => change(to)} />;
}

/** Leads to the list of payments, or of batches. */
export function BackButton({ view }: { readonly view?: 'batches' }): ReactNode {
  const text = useMessages(messages);
  return (
    <Go leftSection={<IconArrowLeft size={14} aria-hidden />} to={{ view, batch: undefined, state: undefined }}>
      {view === undefined ? text.back : text.backToBatches}
    </Go>
  );
}

/** Some payments, or all of a batch that wait. */
type Chosen = { readonly payments: readonly InboxPayment[] } | { readonly batch: string; readonly waiting: Totals };

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
    <Group gap="xs">
      {(['reject', 'approve'] as const).map((decision) => (
        <Button
          key={decision}
          size="xs"
          variant={decision === 'reject' ? 'default' : 'filled'}
          leftSection={decision === 'reject' ? <IconX size={14} aria-hidden /> : <IconCheck size={14} aria-hidden />}
          onClick={() => decide({ decision, chosen })}
        >
          {text[decision]}
        </Button>
      ))}
    </Group>
  );
}

/** What the code of an error means for a payment. */
export function failureText({ codes, otherCode }: typeof messages.en, code: string): string {
  return (codes as Readonly<Record<string, string>>)[code] ?? otherCode(code);
}

/** What is wrong with a cell or a table, by its code. */
export function faultText({ faults, otherFault }: typeof messages.en, code: string | undefined): string | undefined {
  return code && ((faults as Readonly<Record<string, string>>)[code] ?? otherFault);
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
  const text = useMessages(messages);
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
