import { Button, Group, NativeSelect, Skeleton, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { IconCash, IconSearch } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import type { ApiRequest } from '../components/request-texts.ts';
import { useRole } from '../shell/session.ts';
import { DecideBar, type Deciding } from './decide-bar.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { messages } from './messages.ts';
import type { InboxPayment, PaymentState } from './payment-inbox.ts';
import { Alarm, canDecide } from './payment-parts.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { PaymentTable } from './payment-table.tsx';
import type { PaymentsScreen } from './payments-routes.ts';
import { states, usePaymentsSearch } from './payments-search.ts';

/** These are shown only if there are any. */
const rareStates: ReadonlySet<PaymentState> = new Set(['unknown', 'sending', 'refused']);
const ALL = 'all' as const;
const DEFAULT_STATE = 'submitted';
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];

/** The payments with their filters. */
export function PaymentList({ submit }: { readonly submit: ReactNode }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const isEditor = useRole('editor');
  const [{ payment: key, run }, change] = usePaymentsSearch();
  const query = useScreen<PaymentsScreen>('payments', {}, { kinds: ['payments'] });
  // The dialog shows what was chosen, also when the list changes behind it.
  const [deciding, setDeciding] = useState<Deciding | undefined>();
  const open = query.data?.payments.find((payment) => payment.key === key);
  const request: ApiRequest | undefined = open && {
    operation: 'listVariablePayments',
    path: { contractId: open.contractId },
    query: { billingPeriod: open.payment.billingPeriod },
  };
  const { readAt, namesAsOf } = query.data ?? {};
  return (
    <Page
      title={text.title}
      description={readAt ? text.readAt(format.shortInstant(readAt), format.shortInstant(namesAsOf)) : '\u00A0'}
      actions={submit}
      {...(request && { request })}
    >
      <ScreenState query={query} skeleton={<Outline />}>
        {({ payments, unsent }) => (
          <Stack gap="md">
            {isEditor &&
              unsent.map(({ batch, count }) => (
                <Alarm
                  key={batch}
                  title={text.unsentAlert(count)}
                  text={text.unsentAlertText}
                  show={() => change({ view: 'table', batch })}
                />
              ))}
            {payments.length === 0 ? (
              <Empty icon={<IconCash size={32} />} title={text.emptyTitle}>
                {text.emptyText}
              </Empty>
            ) : (
              <Content payments={payments} decide={setDeciding} />
            )}
          </Stack>
        )}
      </ScreenState>
      {open && <PaymentPanel payment={open} decide={setDeciding} />}
      {(deciding !== undefined || run !== undefined) && (
        <DecideDialog given={deciding} forget={() => setDeciding(undefined)} />
      )}
    </Page>
  );
}

interface ContentProps {
  readonly payments: readonly InboxPayment[];
  readonly decide: (deciding: Deciding) => void;
}

function Content({ payments, decide }: ContentProps): ReactNode {
  const text = useMessages(messages);
  const isApprover = useRole('approver');
  const [{ state = DEFAULT_STATE, period, q = '' }, change] = usePaymentsSearch();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const searched = useMemo(() => search(payments, period, q), [payments, period, q]);
  const shown = state === ALL ? searched : searched.filter((payment) => payment.state === state);
  const unknown = payments.filter((payment) => payment.state === 'unknown' && payment.entry?.canResend);
  // What is no longer shown or was decided meanwhile is not selected.
  const chosen = shown.filter((payment) => selected.has(payment.key) && canDecide(payment));

  return (
    <Stack gap="md">
      {unknown.length > 0 && state !== 'unknown' && (
        <Alarm
          title={text.unknownAlert(unknown.length)}
          text={text.unknownAlertText}
          show={() => change({ state: 'unknown', q: undefined, period: undefined })}
        />
      )}
      <Filters payments={payments} searched={searched} />
      {shown.length === 0 ? (
        <Empty icon={<IconSearch size={32} />} title={text.noMatchTitle}>
          <Stack align="center" gap="sm">
            {text.noMatchText}
            <Button variant="default" onClick={() => change({ state: ALL, q: undefined, period: undefined })}>
              {text.clearFilter}
            </Button>
          </Stack>
        </Empty>
      ) : (
        <PaymentTable
          payments={shown}
          hasState={state === ALL}
          selected={selected}
          select={isApprover && shown.some(canDecide) ? setSelected : undefined}
        />
      )}
      {chosen.length > 0 && <DecideBar payments={chosen} decide={decide} clear={() => setSelected(new Set())} />}
    </Stack>
  );
}

interface FiltersProps {
  readonly payments: readonly InboxPayment[];
  readonly searched: readonly InboxPayment[];
}

function Filters({ payments, searched }: FiltersProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [{ state = DEFAULT_STATE, period = '', q = '' }, change] = usePaymentsSearch();
  const periods = useMemo(
    () => [...new Set(payments.map(({ payment }) => payment.billingPeriod))].toSorted().toReversed(),
    [payments],
  );
  const counts = Map.groupBy(searched, (payment) => payment.state);
  const present = new Set(payments.map((payment) => payment.state));
  const choices = states.filter((name) => !rareStates.has(name) || present.has(name) || name === state);
  return (
    <Group justify="space-between" gap="sm">
      <Group gap={6} component="fieldset" aria-label={text.state} bd={0} m={0} p={0} miw={0}>
        {([...choices, ALL] as const).map((name) => (
          <Button
            key={name}
            size="xs"
            variant={name === state ? 'outline' : 'default'}
            aria-pressed={name === state}
            onClick={() => change({ state: name === DEFAULT_STATE ? undefined : name })}
          >
            {name === ALL ? text.all : text.states[name]}{' '}
            {format.number(name === ALL ? searched.length : (counts.get(name)?.length ?? 0))}
          </Button>
        ))}
      </Group>
      <Group gap="xs" grow preventGrowOverflow={false}>
        <NativeSelect
          size="xs"
          aria-label={text.cells.billingPeriod}
          value={period}
          onChange={({ currentTarget }) => change({ period: currentTarget.value || undefined })}
          data={[
            { value: '', label: text.allPeriods },
            ...periods.map((value) => ({ value, label: format.month(value) })),
          ]}
        />
        <TextInput
          size="xs"
          miw={260}
          type="search"
          aria-label={text.search}
          placeholder={text.searchHint}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={q}
          onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined }, true)}
        />
      </Group>
      <VisuallyHidden aria-live="polite">{text.count(searched.length)}</VisuallyHidden>
    </Group>
  );
}

function search(payments: readonly InboxPayment[], period: string | undefined, q: string): InboxPayment[] {
  const words = folded(q).split(/\s+/);
  return payments.filter(({ payment, contractId, person }) => {
    if (period !== undefined && payment.billingPeriod !== period) return false;
    const text = folded(`${person?.name ?? ''} ${contractId} ${payment.compensationComponentId}`);
    return words.every((word) => text.includes(word));
  });
}

/** Text without case and accents, in which `Müller`, `Mueller` and `Muller` are the same. */
function folded(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll('ß', 'ss').replaceAll(/([aou])e/g, '$1');
}

function Outline(): ReactNode {
  return (
    <Stack gap="md">
      <Skeleton height={30} maw={520} />
      <Stack className="panel" gap={0} px="sm">
        {SKELETON_ROWS.map((row) => (
          <Group key={row} justify="space-between" h={54} wrap="nowrap">
            <Skeleton height={12} w={160} />
            <Skeleton height={12} w={110} visibleFrom="sm" />
            <Skeleton height={12} w={80} />
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
