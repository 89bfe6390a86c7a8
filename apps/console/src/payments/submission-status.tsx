import { Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Failure, ScreenState, StepTitle } from '../components/page.tsx';
import { messages } from './messages.ts';
import { PaymentCells, PaymentHeads, valuesOf } from './payment-columns.tsx';
import { Alarm, FailureReason, Notice, ResultBadge } from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';
import { ReviewPayments, type ReviewedRow } from './review-payments.tsx';
import { submitMessages } from './submit-messages.ts';
import type { Submission, SubmissionResult } from './submissions.ts';

const POLL_MS = 400;
const order: readonly SubmissionResult['state'][] = [
  'unknown',
  'refused',
  'rejected',
  'not-sent',
  'waiting',
  'sending',
  'sent',
  'approved',
];

const pathOf = (batch: string): string => `payments/submissions/${batch}`;

/** What became of the payments of a batch, while it runs and after it. */
export function SubmissionStatus({ batch }: { readonly batch: string }): ReactNode {
  const query = useQuery<Submission, BffError>({
    queryKey: [pathOf(batch)],
    queryFn: () => bff.get(pathOf(batch), {}, true),
    refetchInterval: ({ state }) => (state.data?.isRunning ? POLL_MS : false),
  });
  return (
    <ScreenState query={query} skeleton={<Skeleton height={220} />}>
      {(submission) => <Status submission={submission} />}
    </ScreenState>
  );
}

function Status({ submission: { batch, rows, isRunning, stop } }: { readonly submission: Submission }): ReactNode {
  const text = useMessages(submitMessages);
  const shared = useMessages(messages);
  const names = valuesOf(rows.map(({ payment }) => payment));
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  const [review, setReview] = useState<{ readonly batch: string; readonly rows: readonly ReviewedRow[] } | undefined>();
  const client = useQueryClient();
  const discard = useMutation<void, BffError>({
    mutationFn: () => bff.delete(`payments/submissions/${batch}/unsent`),
    onSettled: () => client.invalidateQueries({ queryKey: [pathOf(batch)] }),
  });
  const waiting = rows.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const counts = Map.groupBy(rows, ({ state }) => state);
  // What needs a person comes first, once nothing changes any more.
  const sorted = isRunning ? rows : order.flatMap((one) => rows.filter(({ state }) => state === one));
  const unsent = rows.filter(({ state }) => state === 'not-sent');
  const unknown = rows.filter(({ state }) => state === 'unknown');
  const heading = isRunning
    ? text.progress(rows.length - waiting, rows.length)
    : order
        .filter((state) => counts.has(state))
        .map((state) => `${text.resultStates[state]}: ${format.number(counts.get(state)?.length)}`)
        .join(' · ');

  function reviewUnsent(): void {
    const left = unsent.map(({ contractId, payment, person }) => ({ row: { contractId, payment }, person, equal: 0 }));
    setReview({ batch: crypto.randomUUID(), rows: left });
  }

  if (review) return <ReviewPayments {...review} replaces={batch} edit={() => setReview(undefined)} />;
  return (
    <Stack gap="md">
      <div>
        <StepTitle>{text.resultTitle}</StepTitle>
        <Text component="output" display="block">
          {heading}
        </Text>
      </div>
      {isRunning && (
        <Progress
          value={((rows.length - waiting) / rows.length) * 100}
          aria-label={text.resultTitle}
          transitionDuration={0}
        />
      )}
      {!isRunning && unknown.length > 0 && (
        <Alarm
          role="alert"
          title={shared.unknownAlert(unknown.length)}
          text={text.stopUnknown}
          show={() => change({ view: undefined, batch: undefined, state: 'unknown' })}
        />
      )}
      {stop !== undefined && stop !== 'outcome-unknown' && (
        <Notice role="alert" isQuestion>
          {stop === 'all-rejected' ? text.stopRejected : text.stopOther}
        </Notice>
      )}
      <div className="panel">
        <table className={classes['table']}>
          <caption>{text.resultTitle}</caption>
          <thead>
            <tr>
              <th scope="col" className={classes['index']}>
                {text.row}
              </th>
              <PaymentHeads names={names} />
              <th scope="col" className={`${classes['wide']} ${classes['result']}`}>
                {text.resultTitle}
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <ResultRow key={row.number} result={row} names={names} />
            ))}
          </tbody>
        </table>
      </div>
      {!isRunning && (
        <Group gap="xs">
          {unsent.length > 0 && <Button onClick={reviewUnsent}>{text.reviewUnsent(unsent.length)}</Button>}
          {unsent.length > 0 && (
            <Button variant="default" loading={discard.isPending} onClick={() => discard.mutate()}>
              {text.discardUnsent(unsent.length)}
            </Button>
          )}
          <Button variant="default" onClick={() => change({ batch: undefined })}>
            {text.submitMore}
          </Button>
        </Group>
      )}
      {discard.error && <Failure error={discard.error} />}
    </Stack>
  );
}

interface ResultRowProps {
  readonly result: SubmissionResult;
  readonly names: ReturnType<typeof valuesOf>;
}

function ResultRow({ result, names }: ResultRowProps): ReactNode {
  const text = useMessages(messages);
  const { number, contractId, person, payment, state, code, message, requestId } = result;
  const outcome = (
    <>
      <ResultBadge state={state} />
      <FailureReason code={code} message={message} />
      {requestId !== undefined && (
        <Text c="dimmed" fz="xs">
          {text.requestId}: {requestId}
        </Text>
      )}
    </>
  );
  return (
    <tr>
      <td className={classes['index']}>{number}</td>
      <PaymentCells {...{ names, contractId, payment }} name={person?.name ?? text.noPersonName}>
        <div className={classes['narrow']}>{outcome}</div>
      </PaymentCells>
      <td className={classes['wide']}>{outcome}</td>
    </tr>
  );
}
