import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../web/bff.ts';
import { Dialog } from '../web/dialog.tsx';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import { messages as sharedMessages } from '../web/messages.ts';
import { Failure } from '../web/page.tsx';
import type { Deciding } from './decide-bar.tsx';
import type { DecisionResult } from './decide-payments.ts';
import { messages } from './messages.ts';
import type { InboxPayment } from './payment-inbox.ts';
import { PaymentCells, PaymentHeads } from './payment-columns.tsx';
import { Notice } from './payment-parts.tsx';
import { PaymentSums } from './payment-sums.tsx';
import classes from './payments.module.css';

interface DialogProps {
  readonly given: Deciding;
  readonly close: () => void;
}

/** Asks for the reason, decides, and shows what became of each payment unless all went well. */
export function DecideDialog({ given: { decision, payments }, close }: DialogProps): ReactNode {
  const text = useMessages(messages);
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const isReject = decision === 'reject';
  const contents = payments.map(({ payment }) => payment);
  const mutation = useMutation<DecisionResult[], BffError>({
    mutationFn: () => {
      const ids = payments.map(({ paymentId }) => paymentId);
      return bff.post('payments/decisions', { decision, ids, ...(reason.trim() !== '' && { reason: reason.trim() }) });
    },
    onSuccess: (results) => {
      if (results.some(({ problem }) => problem)) return;
      notifications.show({ message: isReject ? text.rejectedDone(results.length) : text.approvedDone(results.length) });
      close();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['payments'] }),
  });
  const { data: results } = mutation;

  function decide(): void {
    const isMissing = isReject && reason.trim() === '';
    setReasonMissing(isMissing);
    if (!isMissing) mutation.mutate();
  }

  return (
    <Dialog
      title={isReject ? text.rejectTitle(payments.length) : text.approveTitle(payments.length)}
      size="lg"
      close={close}
    >
      <Stack>
        {results ? (
          <Results results={results} payments={payments} />
        ) : (
          <>
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
          </>
        )}
        <Group justify="space-between">
          <Text c="dimmed">{results ? '' : text.final}</Text>
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              {results ? text.close : text.cancel}
            </Button>
            {!results && (
              <Button {...(isReject && { color: 'red' })} loading={mutation.isPending} onClick={decide}>
                {isReject ? text.reject : text.approve}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Results({
  results,
  payments,
}: {
  readonly results: readonly DecisionResult[];
  readonly payments: readonly InboxPayment[];
}): ReactNode {
  const text = useMessages(messages);
  const shared = useMessages(sharedMessages);
  const format = useFormat();
  const done = results.filter(({ problem }) => problem === undefined).length;
  const textOf = ({ problem, before }: DecisionResult): string => {
    if (problem === undefined) return text.done;
    if (before === undefined) return shared.problems[problem.code];
    const { by = '', person, at, state } = before;
    const who = person === undefined ? text.client(by) : text.via(person, by);
    return text.decidedBefore(text.states[state], who, format.shortInstant(at));
  };
  return (
    <>
      <Notice role="alert" title={text.partly(done, results.length)} />
      <table className={classes['table']}>
        <caption>{text.result}</caption>
        <thead>
          <tr>
            <th scope="col">{text.person}</th>
            <th scope="col">{text.result}</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => {
            const payment = payments.find(({ paymentId }) => paymentId === result.id);
            return (
              <tr key={result.id}>
                <td>{payment?.person?.name ?? payment?.contractId}</td>
                <td>
                  {textOf(result)}
                  {result.problem?.requestId !== undefined && (
                    <Text c="dimmed" fz="xs">
                      {shared.requestId(result.problem.requestId)}
                    </Text>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
