import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCash, IconPlus, IconSearch, IconStack2 } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { usePages } from '../shell/bff.ts';
import { DraftList } from '../components/draft.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { FilterSelect } from '../components/filter-select.tsx';
import { GridOutline } from '../components/grid.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import type { ApiRequest } from '../components/request-texts.ts';
import { useTyped } from '../shell/search.ts';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import { canDecide, DecideButtons, Go, Notice, Settle, StateFilter, type Decide } from './payment-parts.tsx';
import { PaymentTable, TotalsText } from './payment-table.tsx';
import type { PaymentsScreen } from './payments-routes.ts';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

const all = { state: undefined, period: undefined, q: undefined };

/** The payments with their filters. */
export function PaymentList({ decide }: { readonly decide: Decide }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const isEditor = useRole('editor');
  const isApprover = useRole('approver');
  const [{ state = 'submitted', period, q, payment: shown }, change] = usePaymentsSearch();
  const [typed, setTyped] = useTyped(q ?? '', (next) => change({ q: next.trim() || undefined }));
  const query = usePages<PaymentsScreen>('payments', { state, period, q }, { kinds: ['payments'] });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const payments = query.data?.pages.flatMap((page) => page.payments) ?? [];
  const open = payments.find(({ key }) => key === shown);
  const request: ApiRequest | undefined = open && {
    operation: 'listVariablePayments',
    path: { contractId: open.contractId },
    query: { billingPeriod: open.payment.billingPeriod },
  };
  // What is no longer shown or was decided meanwhile is not selected.
  const chosen = payments.filter((payment) => selected.has(payment.key) && canDecide(payment));
  const { readAt, namesAsOf } = query.data?.pages[0] ?? {};
  return (
    <Page
      title={text.title}
      description={readAt ? text.readAt(format.shortInstant(readAt), format.shortInstant(namesAsOf)) : '\u00A0'}
      actions={
        <>
          <Go leftSection={<IconStack2 size={14} aria-hidden />} to={{ view: 'batches', state: undefined }}>
            {text.batches}
          </Go>
          {isEditor && (
            <Go variant="filled" leftSection={<IconPlus size={14} aria-hidden />} to={{ view: 'submit' }}>
              {text.submitTitle}
            </Go>
          )}
        </>
      }
      {...(request && { request })}
    >
      <ScreenState query={query} skeleton={<GridOutline />}>
        {({ pages: [{ counts = {}, periods = [], totals, isTooBroad, unsent = [] } = {}] }) => {
          const total = (counts.submitted ?? 0) + (counts.approved ?? 0) + (counts.rejected ?? 0);
          const isEmpty = total === 0 && period === undefined && q === undefined && state === 'submitted';
          return (
            <Stack gap="md">
              <DraftList of={(name) => /^(?:payment|table)/.test(name)} />
              {isEditor &&
                unsent.map(({ batch, count }) => (
                  <Notice key={batch} isQuestion title={text.unsentAlert(count)}>
                    <Group justify="space-between" gap="xs">
                      {text.unsentAlertText}
                      <Go to={{ ...all, view: 'batches', batch }}>{text.show}</Go>
                    </Group>
                  </Notice>
                ))}
              <Settle state="unknown" count={counts.unknown ?? 0} of={{}}>
                {state !== 'unknown' && <Go to={{ ...all, state: 'unknown' }}>{text.show}</Go>}
              </Settle>
              <search className="filters">
                <TextInput
                  size="xs"
                  w={260}
                  type="search"
                  maxLength={100}
                  aria-label={text.search}
                  placeholder={text.searchHint}
                  leftSection={<IconSearch size={14} aria-hidden />}
                  value={typed}
                  onChange={({ currentTarget }) => setTyped(currentTarget.value)}
                />
                <FilterSelect
                  label={text.cells.billingPeriod}
                  hidesLabel
                  all={text.allPeriods}
                  choices={periods.map((value) => ({ value, label: format.month(value) }))}
                  value={period}
                  onChange={(value) => change({ period: value })}
                />
              </search>
              <StateFilter counts={{ ...counts, all: total }} state={state} initial="submitted" />
              {payments.length > 0 && totals && <TotalsText totals={totals} />}
              {payments.length > 0 ? (
                <PaymentTable
                  query={query}
                  count={state === 'all' ? total : (counts[state] ?? 0)}
                  hasState={state !== 'submitted' && state !== 'approved'}
                  selection={isApprover && payments.some(canDecide) ? { selected, change: setSelected } : undefined}
                />
              ) : isEmpty ? (
                <Empty icon={<IconCash size={32} />} title={text.emptyTitle}>
                  {text.emptyText}
                </Empty>
              ) : (
                <Empty icon={<IconSearch size={32} />} title={isTooBroad ? text.tooBroadTitle : text.noMatchTitle}>
                  <Stack align="center" gap="sm">
                    {isTooBroad ? text.tooBroadText : text.noMatchText}
                    <Go size="sm" to={{ ...all, state: 'all' }}>
                      {text.clearFilter}
                    </Go>
                  </Stack>
                </Empty>
              )}
              {chosen.length > 0 && (
                <Group className={`panel ${classes['bar']}`} justify="space-between" gap="sm">
                  <Text fw={500} aria-live="polite">
                    {text.selected(chosen.length)}
                  </Text>
                  <Group gap="xs">
                    <Button variant="subtle" size="xs" onClick={() => setSelected(new Set())}>
                      {text.clear}
                    </Button>
                    <DecideButtons chosen={{ payments: chosen }} decide={decide} />
                  </Group>
                </Group>
              )}
            </Stack>
          );
        }}
      </ScreenState>
    </Page>
  );
}
