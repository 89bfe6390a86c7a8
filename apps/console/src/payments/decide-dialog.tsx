import { Button, Group, Progress, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as sharedMessages } from '../shell/messages.ts';
import { Failure } from '../components/page.tsx';
import type { Deciding } from './decide-bar.tsx';
import type { DecisionResult, DecisionRun } from './decisions.ts';
import { messages } from './messages.ts';
import { PaymentCells, PaymentHeads } from './payment-columns.tsx';
import { Notice } from './payment-parts.tsx';
import { PaymentSums } from './payment-sums.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';

const POLL_MS = 400;
const pathOf = (run: string): string => `payments/decisions/${run}`;

/** Asks for the reason, decides, and shows what became of each payment unless all went well. */
export function DecideDialog({
  given,
  forget,
}: {
  /** Undefined once the page was loaded anew. */
  readonly given: Deciding | undefined;
  readonly forget: () => void;
}): ReactNode {
  const text = useMessages(messages);
  const client = useQueryClient();
  // In the address, so that a page that is loaded anew shows it again.
  const [{ run }, change] = usePaymentsSearch();
  const query = useQuery<DecisionRun, BffError>({
    queryKey: [pathOf(run ?? '')],
    enabled: run !== undefined,
    queryFn: async () => {
      const found = await bff.get<DecisionRun>(pathOf(run ?? ''), {}, true);
      if (!found.isRunning) finish(found);
      return found;
    },
    refetchInterval: ({ state }) => (state.data?.isRunning ? POLL_MS : false),
  });
  const { data } = query;
  const isReject = (data ?? given)?.decision === 'reject';
  const count = data?.results.length ?? given?.payments.length ?? 0;

  function finish({ decision, results }: DecisionRun): void {
    void client.invalidateQueries({ queryKey: ['payments'] });
    if (results.some(({ state }) => state !== 'done')) return;
    const doneText = decision === 'reject' ? text.rejectedDone : text.approvedDone;
    notifications.show({ message: doneText(results.length) });
    close();
  }
  function close(): void {
    forget();
    if (run !== undefined) change({ run: undefined }, true);
  }

  return (
    <Dialog
      title={isReject ? text.rejectTitle(count) : text.approveTitle(count)}
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
          {(query.error || data?.isRunning === false) && (
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

function Question({
  given: { decision, payments },
  close,
}: {
  readonly given: Deciding;
  readonly close: () => void;
}): ReactNode {
  const text = useMessages(messages);
  const client = useQueryClient();
  const [, change] = usePaymentsSearch();
  // Made once, so that a repeated request decides once.
  const [run] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const isReject = decision === 'reject';
  const contents = payments.map(({ payment }) => payment);
  const mutation = useMutation<DecisionRun, BffError>({
    mutationFn: () => {
      const ids = payments.map(({ paymentId }) => paymentId);
      const given = reason.trim();
      return bff.post('payments/decisions', { run, decision, ids, ...(given !== '' && { reason: given }) });
    },
    onSuccess: (started) => {
      client.setQueryData([pathOf(run)], started);
      change({ run }, true);
    },
  });

  function decide(): void {
    const isMissing = isReject && reason.trim() === '';
    setReasonMissing(isMissing);
    if (!isMissing) mutation.mutate();
  }

  return (
    <Stack>
      {/* A part that scrolls needs the keyboard (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={`panel ${classes['chosen']}`} aria-label={text.caption} tabIndex={0}>
        {contents.length > 1 && <PaymentSums payments={contents} />}
        <table className={classes['table']}>
          <caption>{text.caption}</caption>
          <thead>
            <tr>
              <PaymentHeads names={[]} />
            </tr>
          </thead>
          <tbody>
            {payments.map(({ key, person, contractId, payment }) => (
              <tr key={key}>
                <PaymentCells {...{ contractId, payment }} names={[]} name={person?.name ?? text.noPersonName} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
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
      {mutation.error && <Failure error={mutation.error} />}
      <Group justify="space-between">
        <Text c="dimmed">{text.final}</Text>
        <Group gap="xs">
          <Button variant="default" disabled={mutation.isPending} onClick={close}>
            {text.cancel}
          </Button>
          <Button {...(isReject && { color: 'red' })} loading={mutation.isPending} onClick={decide}>
            {isReject ? text.reject : text.approve}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function Results({ run: { run, isRunning, results } }: { readonly run: DecisionRun }): ReactNode {
  const text = useMessages(messages);
  const shared = useMessages(sharedMessages);
  const format = useFormat();
  const client = useQueryClient();
  const stop = useMutation<DecisionRun, BffError>({
    mutationFn: () => bff.post(`${pathOf(run)}/stop`),
    onSuccess: () => client.invalidateQueries({ queryKey: [pathOf(run)] }),
  });
  const done = results.filter(({ state }) => state === 'done').length;
  const open = results.filter(({ state }) => state === 'waiting').length;
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
        <Text component="output">{text.deciding(results.length - open, results.length)}</Text>
        <Progress
          value={((results.length - open) / results.length) * 100}
          aria-label={text.result}
          transitionDuration={0}
        />
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
      <Notice role="alert" title={text.partly(done, results.length)} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls needs the keyboard */}
      <section className={`panel ${classes['chosen']}`} aria-label={text.result} tabIndex={0}>
        <table className={classes['table']}>
          <caption>{text.result}</caption>
          <thead>
            <tr>
              <th scope="col">{text.person}</th>
              <th scope="col">{text.result}</th>
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <tr key={result.id}>
                <td>{result.person?.name ?? result.contractId ?? text.noPersonName}</td>
                <td>
                  {textOf(result)}
                  {result.problem?.requestId !== undefined && (
                    <Text c="dimmed" fz="xs">
                      {shared.requestId(result.problem.requestId)}
                    </Text>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Stack>
  );
}
