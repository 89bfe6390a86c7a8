import { Button, Group, Progress, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { bff, readAgain, type BffError } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages as sharedMessages } from '../shell/messages.ts';
import { Failure } from '../components/page.tsx';
import type { DecisionResult, DecisionRun } from './decisions.ts';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import { Notice, type Deciding } from './payment-parts.tsx';
import { PaymentSums, TotalsText, useValues } from './payment-table.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

const POLL_MS = 1000;
/** More payments are shown by their sums only. */
const MAX_SHOWN = 20;
const pathOf = (run: string): string => `payments/decisions/${run}`;

interface DecideDialogProps {
  /** Undefined once the page was loaded anew. */
  readonly given: Deciding | undefined;
  readonly forget: () => void;
}

/** Asks for the reason, decides, and shows what became of each payment unless all went well. */
export function DecideDialog({ given, forget }: DecideDialogProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const client = useQueryClient();
  // In the address, so that a page that is loaded anew shows it again.
  const [{ run }, change] = usePaymentsSearch();
  const query = useQuery<DecisionRun, BffError>({
    queryKey: [pathOf(run ?? '')],
    enabled: run !== undefined,
    // Each decision is a change, too.
    meta: { kinds: [] },
    staleTime: 0,
    queryFn: () => bff.get<DecisionRun>(pathOf(run ?? ''), {}, true),
    refetchInterval: ({ state }) => (state.data?.isRunning ? POLL_MS : false),
  });
  const { data } = query;
  const { decision = 'approve' } = data ?? given ?? {};
  const count = data?.total ?? (given ? countOf(given.chosen) : 0);

  const isOver = data?.isRunning === false;
  const isDone = isOver && data.done === data.total;
  useEffect(() => {
    if (isOver) void readAgain(client, 'payments');
    if (!isDone) return;
    const state = text.states[decision === 'reject' ? 'rejected' : 'approved'];
    notifications.show({ message: `${state}: ${text.count(format.number(data.total))}` });
    close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, however often its end is read
  }, [isOver, isDone]);
  function close(): void {
    forget();
    if (run !== undefined) change({ run: undefined });
  }

  if (isDone) return null;
  return (
    <Dialog
      title={`${text[decision]}: ${text.count(format.number(count))}`}
      size="lg"
      close={() => data?.isRunning || close()}
    >
      {run === undefined && given && <Question given={given} close={close} />}
      {run !== undefined && (
        <Stack>
          {data && <Results run={data} />}
          {query.error?.problem.code === 'not-found' ? (
            <Notice role="alert">{text.decisionsForgotten}</Notice>
          ) : (
            query.error && <Failure error={query.error} />
          )}
          {(query.error || isOver) && (
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {text.close}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Dialog>
  );
}

function countOf(chosen: Deciding['chosen']): number {
  return 'batch' in chosen ? chosen.waiting.payments : chosen.payments.length;
}

function Question({ given, close }: { readonly given: Deciding; readonly close: () => void }): ReactNode {
  const { decision, chosen } = given;
  const text = useMessages(messages);
  const client = useQueryClient();
  const [, change] = usePaymentsSearch();
  // Made once, so that a repeated request decides once.
  const [run] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const isReject = decision === 'reject';
  const mutation = useMutation<DecisionRun, BffError>({
    mutationFn: () =>
      bff.post('payments/decisions', {
        run,
        decision,
        chosen:
          'batch' in chosen
            ? { batch: chosen.batch, count: countOf(chosen) }
            : { ids: chosen.payments.map(({ paymentId }) => paymentId) },
        reason: reason.trim() || undefined,
      }),
    onSuccess: (started) => {
      client.setQueryData([pathOf(run)], started);
      change({ run });
    },
  });

  function decide(): void {
    const isMissing = isReject && reason.trim() === '';
    setReasonMissing(isMissing);
    if (!isMissing) mutation.mutate();
  }

  return (
    <Stack>
      {'batch' in chosen ? (
        <Notice title={text.compareTotals}>
          <TotalsText totals={chosen.waiting} />
        </Notice>
      ) : (
        <ChosenPayments payments={chosen.payments} />
      )}
      <Textarea
        label={isReject ? text.reason : text.reasonOptional}
        required={isReject}
        maxLength={1000}
        autosize
        minRows={2}
        data-autofocus
        value={reason}
        error={isReasonMissing && text.reasonNeeded}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {mutation.error?.problem.code === 'conflict' ? (
        <Notice role="alert">{text.batchChanged}</Notice>
      ) : (
        mutation.error && <Failure error={mutation.error} />
      )}
      <Group justify="space-between">
        <Text c="dimmed">{text.final}</Text>
        <Group gap="xs">
          <Button variant="default" disabled={mutation.isPending} onClick={close}>
            {text.cancel}
          </Button>
          <Button {...(isReject && { color: 'red' })} loading={mutation.isPending} onClick={decide}>
            {text[decision]}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** What a person decides on: each payment, or only the sums of many. */
function ChosenPayments({ payments }: { readonly payments: readonly InboxPayment[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const valuesOf = useValues();
  const { nameWithKey } = useLabels();
  return (
    <>
      {payments.length > 1 && <PaymentSums payments={payments.map(({ payment }) => payment)} />}
      {payments.length <= MAX_SHOWN && (
        <ul className={classes['chosen']} aria-label={text.caption}>
          {payments.map(({ key, person, contractId, payment }) => (
            <li key={key}>
              <b>{person?.name ?? text.noPersonName}</b>{' '}
              {[
                contractId,
                format.month(payment.billingPeriod),
                nameWithKey('compensationComponent', payment.compensationComponentId),
                ...valuesOf(payment).map(([, label, value]) => `${label} ${value}`),
              ].join(' · ')}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Results({ run: { run, isRunning, total, done, waiting, results } }: { readonly run: DecisionRun }): ReactNode {
  const text = useMessages(messages);
  const shared = useMessages(sharedMessages);
  const format = useFormat();
  const client = useQueryClient();
  const stop = useMutation<DecisionRun, BffError>({
    mutationFn: () => bff.post(`${pathOf(run)}/stop`),
    onSuccess: (stopped) => void client.setQueryData([pathOf(run)], stopped),
  });
  const textOf = ({ state, problem, before }: DecisionResult): string => {
    if (state !== 'failed' || problem === undefined) return text.decisionStates[state];
    if (before === undefined) return shared.problems[problem.code];
    const { by = '', person, at, state: earlier } = before;
    const who = person === undefined ? text.client(by) : text.via(person, by);
    return text.decidedBefore(text.states[earlier], who, format.shortInstant(at));
  };
  if (isRunning) {
    return (
      <Stack>
        <Text component="output">{text.deciding(total - waiting, total)}</Text>
        <Progress value={((total - waiting) / total) * 100} aria-label={text.result} transitionDuration={0} />
        {stop.error && <Failure error={stop.error} />}
        <Group justify="space-between">
          <Text c="dimmed">{text.stopHint}</Text>
          <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()} data-autofocus>
            {text.stop}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack>
      <Notice role="alert" title={text.partly(done, total)} />
      <ul className={classes['chosen']} aria-label={text.result}>
        {results.map((result) => (
          <li key={result.id}>
            <b>{result.person?.name ?? result.contractId ?? text.noPersonName}</b> {textOf(result)}
            {result.problem?.requestId !== undefined && (
              <Text c="dimmed" fz="xs">
                {shared.requestId(result.problem.requestId)}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
