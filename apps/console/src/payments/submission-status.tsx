import { Button, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { bff } from '../web/bff.ts';
import type { BffError } from '../web/bff.ts';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import { ScreenState } from '../web/page.tsx';
import { messages } from './messages.ts';
import { PaymentCells, PaymentHeads, valuesOf } from './payment-columns.tsx';
import { Notice, ResultBadge } from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';
import { ReviewPayments } from './review-payments.tsx';
import type { ReviewedRow } from './review-payments.tsx';
import { submitMessages } from './submit-messages.ts';
import type { Submission, SubmissionResult } from './submissions.ts';

const POLL_MS = 400;
const order: readonly SubmissionResult['state'][] = [
  'unknown',
  'rejected',
  'not-sent',
  'waiting',
  'sending',
  'sent',
  'approved',
];

/** What became of the payments of a batch, while it runs and after it. */
export function SubmissionStatus({ batch }: { readonly batch: string }): ReactNode {
  const path = `payments/submissions/${batch}`;
  const query = useQuery<Submission, BffError>({
    queryKey: [path],
    queryFn: () => bff.get(path, {}, true),
    refetchInterval: ({ state }) => (state.data?.isRunning ? POLL_MS : false),
  });
  return (
    <ScreenState query={query} skeleton={<Skeleton height={220} />}>
      {(submission) => <Status submission={submission} />}
    </ScreenState>
  );
}

function Status({ submission: { rows, isRunning, stop } }: { readonly submission: Submission }): ReactNode {
  const text = useMessages(submitMessages);
  const names = valuesOf(rows.map(({ payment }) => payment));
  const format = useFormat();
  const [, change] = usePaymentsSearch();
  const [review, setReview] = useState<{ readonly batch: string; readonly rows: readonly ReviewedRow[] } | undefined>();
  const waiting = rows.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const counts = Map.groupBy(rows, ({ state }) => state);
  // What needs a person comes first, once nothing changes any more.
  const sorted = isRunning ? rows : order.flatMap((one) => rows.filter(({ state }) => state === one));
  const unsent = rows.filter(({ state }) => state === 'not-sent');
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

  if (review) return <ReviewPayments {...review} edit={() => setReview(undefined)} />;
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{text.resultTitle}</Title>
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
      {stop !== undefined && (
        <Notice role="alert" isQuestion>
          {stop === 'outcome-unknown' ? text.stopUnknown : stop === 'all-rejected' ? text.stopRejected : text.stopOther}
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
              <th scope="col" className={classes['result']}>
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
          <Button variant="default" onClick={() => change({ batch: undefined })}>
            {text.submitMore}
          </Button>
        </Group>
      )}
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
  return (
    <tr>
      <td className={classes['index']}>{number}</td>
      <PaymentCells {...{ names, contractId, payment }} name={person?.name ?? text.noPersonName} />
      <td>
        <ResultBadge state={state} />
        {code !== undefined && <Text fz="sm">{text.codes[code] ?? text.otherCode(code)}</Text>}
        {message !== undefined && (
          <Text c="dimmed" fz="xs" lang="en">
            {message}
          </Text>
        )}
        {requestId !== undefined && (
          <Text c="dimmed" fz="xs">
            {text.requestId}: {requestId}
          </Text>
        )}
      </td>
    </tr>
  );
}
