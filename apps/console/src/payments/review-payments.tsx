import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { Failure, StepTitle } from '../components/page.tsx';
import type { SubmissionRow } from './check-payments.ts';
import type { ContractPerson } from './contract-persons.ts';
import { PaymentCells, PaymentHeads, valuesOf } from './payment-columns.tsx';
import { Notice, Warning } from './payment-parts.tsx';
import { PaymentSums } from './payment-sums.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';
import { submitMessages } from './submit-messages.ts';
import type { Submission } from './submissions.ts';

/** A payment that is complete. */
export interface ReviewedRow {
  readonly row: SubmissionRow;
  readonly person: ContractPerson | undefined;
  /** Number of equal payments. */
  readonly equal: number;
}

interface ReviewPaymentsProps {
  readonly batch: string;
  readonly rows: readonly ReviewedRow[];
  /** The batch in which these payments were not sent. */
  readonly replaces?: string;
  readonly edit: () => void;
  /** Called when the backend has them. */
  readonly onSubmit?: () => void;
}

/** Shows whom the payments are for, and sends them once a person has confirmed them. */
export function ReviewPayments({ batch, rows, replaces, edit, onSubmit }: ReviewPaymentsProps): ReactNode {
  const text = useMessages(submitMessages);
  const [, change] = usePaymentsSearch();
  const client = useQueryClient();
  const [isConfirmed, setConfirmed] = useState(false);
  const [allowEqual, setAllowEqual] = useState(false);
  const submit = useMutation<Submission, BffError>({
    mutationFn: () =>
      bff.post('payments/submissions', { batch, rows: rows.map(({ row }) => row), replaces, allowEqual }),
    onSuccess: (submission) => {
      onSubmit?.();
      client.setQueryData([`payments/submissions/${batch}`], submission);
      change({ batch }, true);
    },
  });
  // The backend compares again, as others submit payments, too.
  const isEqualNow = submit.error?.problem.code === 'conflict';
  const found = isEqualNow ? (submit.error?.problem.errors ?? []).length : 0;
  const equal = Math.max(found, rows.filter((row) => row.equal > 0).length);
  const payments = rows.map(({ row }) => row.payment);
  const names = valuesOf(payments);
  return (
    <Stack gap="md">
      <div>
        <StepTitle>{text.reviewTitle}</StepTitle>
        <Text c="dimmed">{text.reviewText}</Text>
      </div>
      {payments.length > 1 && <PaymentSums payments={payments} />}
      <div className="panel">
        <table className={classes['table']}>
          <caption>{text.reviewTitle}</caption>
          <thead>
            <tr>
              <th scope="col" className={classes['index']}>
                {text.row}
              </th>
              <PaymentHeads names={names} />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row: { contractId, payment }, person, equal: count }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the rows of a review do not change
              <tr key={index}>
                <td className={classes['index']}>{index + 1}</td>
                <PaymentCells
                  {...{ names, contractId, payment }}
                  name={person?.name ?? <Warning>{text.unknownContract}</Warning>}
                >
                  {count > 0 && <Warning>{text.isEqual(count)}</Warning>}
                </PaymentCells>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {equal > 0 && (
        <Notice title={text.equalTitle(equal)}>
          <Text mb="sm">{text.equalText}</Text>
          <Checkbox
            label={text.allowEqual}
            checked={allowEqual}
            onChange={({ currentTarget }) => setAllowEqual(currentTarget.checked)}
          />
        </Notice>
      )}
      <Checkbox
        label={text.confirm(rows.length)}
        checked={isConfirmed}
        onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
      />
      {submit.error && !isEqualNow && (
        <>
          <Failure error={submit.error} />
          <Text c="dimmed">{text.sameBatch}</Text>
        </>
      )}
      <Group gap="xs">
        <Button
          disabled={!isConfirmed || (equal > 0 && !allowEqual)}
          loading={submit.isPending}
          onClick={() => submit.mutate()}
        >
          {text.submit(rows.length)}
        </Button>
        <Button variant="default" disabled={submit.isPending} onClick={edit}>
          {text.edit}
        </Button>
      </Group>
    </Stack>
  );
}
