import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { bff } from '../web/bff.ts';
import type { BffError } from '../web/bff.ts';
import { useMessages } from '../web/locale.tsx';
import { Failure } from '../web/page.tsx';
import type { SubmissionRow } from './check-payments.ts';
import type { ContractPerson } from './contract-persons.ts';
import { messages } from './messages.ts';
import { Notice, Months, PaymentValues } from './payment-parts.tsx';
import classes from './payments.module.css';
import { usePaymentsSearch } from './payments-search.ts';
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
  readonly edit: () => void;
}

/** Shows whom the payments are for, and sends them once a person has confirmed them. */
export function ReviewPayments({ batch, rows, edit }: ReviewPaymentsProps): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  const client = useQueryClient();
  const [isConfirmed, setConfirmed] = useState(false);
  const [allowEqual, setAllowEqual] = useState(false);
  const submit = useMutation<Submission, BffError>({
    mutationFn: () => bff.post('payments/submissions', { batch, rows: rows.map(({ row }) => row), allowEqual }),
    onSuccess: (submission) => {
      client.setQueryData([`payments/submissions/${batch}`], submission);
      change({ batch }, true);
    },
  });
  // The backend compares again, as others submit payments, too.
  const isEqualNow = submit.error?.problem.code === 'conflict';
  const found = isEqualNow ? (submit.error?.problem.errors ?? []).length : 0;
  const equal = Math.max(found, rows.filter((row) => row.equal > 0).length);
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{text.reviewTitle}</Title>
        <Text c="dimmed">{text.reviewText}</Text>
      </div>
      <div className={`panel ${classes['frame']}`}>
        <table className={`${classes['table']} ${classes['review']}`}>
          <caption>{text.reviewTitle}</caption>
          <thead>
            <tr>
              <th scope="col">{text.person}</th>
              <th scope="col">{text.cells.billingPeriod}</th>
              <th scope="col">{text.component}</th>
              <th scope="col">{text.values}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row: { contractId, payment }, person, equal: count }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the rows of a review do not change
              <tr key={index}>
                <td>
                  <Text fw={500}>{person?.name ?? text.noPersonName}</Text>
                  <Text c="dimmed" fz="xs">
                    {contractId}
                  </Text>
                </td>
                <td>
                  <Months payment={payment} />
                </td>
                <td>{payment.compensationComponentId}</td>
                <td>
                  <PaymentValues payment={payment} />
                  {count > 0 && <Warning>{text.isEqual(count)}</Warning>}
                  {person === undefined && <Warning>{text.unknownContract}</Warning>}
                </td>
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

function Warning({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Group gap={6} wrap="nowrap" c="orange">
      <IconAlertTriangle size={14} aria-hidden />
      <Text fz="sm" c="var(--mantine-color-text)">
        {children}
      </Text>
    </Group>
  );
}
