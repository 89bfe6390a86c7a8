import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useDraft } from '../components/draft.tsx';
import { Warning } from '../components/form.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Grid } from '../components/grid.tsx';
import { Failure, StepTitle } from '../components/page.tsx';
import type { CompleteRow } from './check-payments.ts';
import { messages } from './messages.ts';
import { usePaymentColumns } from './payment-columns.tsx';
import { Notice } from './payment-parts.tsx';
import { PaymentSums } from './payment-sums.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { submitMessages } from './submit-messages.ts';
import type { TableDraft } from './table-draft.ts';

interface ReviewPaymentsProps {
  readonly rows: readonly CompleteRow[];
  /** Of the draft that has these payments. */
  readonly draftName: string;
  readonly edit: () => void;
}

/** Shows whom the payments are for, and sends them once a person has confirmed them. */
export function ReviewPayments({ rows, draftName, edit }: ReviewPaymentsProps): ReactNode {
  const text = useMessages(submitMessages);
  const [, change] = usePaymentsSearch();
  const shared = useMessages(messages);
  const format = useFormat();
  const [name, setName] = useState(
    () => `${format.instant(new Date().toISOString())} · ${shared.count(format.number(rows.length))}`,
  );
  // Made once for a review, so that a request that is repeated sends nothing twice.
  const [batch] = useState(() => crypto.randomUUID());
  const [isConfirmed, setConfirmed] = useState(false);
  const [allowEqual, setAllowEqual] = useState(false);
  const draft = useDraft<TableDraft>(draftName);
  const submit = useMutation<void, BffError>({
    mutationFn: async () => {
      const { replaces } = draft.content ?? {};
      const given = { batch, name, rows: rows.map(({ row }) => row), replaces, allowEqual };
      await bff.post('payments/batches', { ...given, draft: await draft.settle() });
    },
    onSuccess: () => {
      draft.forget();
      change({ view: 'batches', batch, state: undefined, draft: undefined }, true);
    },
  });
  // The backend compares again, as others submit payments, too.
  const isEqualNow = submit.error?.problem.code === 'conflict';
  const found = isEqualNow ? (submit.error?.problem.errors ?? []).length : 0;
  const equal = Math.max(found, rows.filter((row) => row.equal > 0).length);
  const payments = rows.map(({ row }) => row.payment);
  const shown = rows.map(({ row, ...one }, index) => ({ ...row, ...one, number: index + 1 }));
  const columns = usePaymentColumns<(typeof shown)[number]>(({ person, equal: count }) => (
    <>
      {person === undefined && <Warning>{text.unknownContract}</Warning>}
      {count > 0 && <Warning>{text.isEqual(count)}</Warning>}
    </>
  ));
  return (
    <Stack gap="md">
      <div>
        <StepTitle>{text.reviewTitle}</StepTitle>
        <Text c="dimmed">{text.reviewText}</Text>
      </div>
      {payments.length > 1 && (
        <>
          <TextInput
            label={text.batchName}
            description={text.batchNameHint}
            maw={560}
            maxLength={100}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <PaymentSums payments={payments} />
        </>
      )}
      <Grid
        label={text.reviewTitle}
        columns={columns}
        rows={shown}
        rowHeight={3.25}
        keyOf={({ number }) => String(number)}
      />
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
          disabled={!isConfirmed || name.trim() === '' || (equal > 0 && !allowEqual)}
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
