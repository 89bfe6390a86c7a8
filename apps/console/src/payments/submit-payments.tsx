import { Box, Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useDraft, WithDraft } from '../components/draft.tsx';
import { Warning } from '../components/form.tsx';
import { Grid } from '../components/grid.tsx';
import { Failure, Page, StepTitle } from '../components/page.tsx';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { CompleteRow } from './check-payments.ts';
import { messages } from './messages.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentGrid } from './payment-grid.tsx';
import { BackButton, Notice } from './payment-parts.tsx';
import { PaymentSums, usePaymentColumns } from './payment-table.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import type { TableDraft } from './submissions.ts';

/** In a wider table, people and their values would be too far apart to compare. */
const MAX_WIDTH = 1240;

/** Takes one payment by a form or many by a table, and shows them for review before they are sent. */
export function SubmitPayments({ isTable }: { readonly isTable: boolean }): ReactNode {
  const text = useMessages(messages);
  const [{ draft: correction }, change] = usePaymentsSearch();
  const [reviewed, setReviewed] = useState<readonly CompleteRow[]>();
  const tableName = correction === undefined ? 'table' : `table/${correction}`;
  const name = isTable ? tableName : 'payment';
  const Fields = isTable ? PaymentGrid : PaymentForm;
  return (
    <Page title={text.submitTitle} actions={<BackButton />}>
      <Box maw={MAX_WIDTH}>
        {reviewed ? (
          <ReviewPayments rows={reviewed} draftName={name} edit={() => setReviewed(undefined)} />
        ) : (
          <Stack gap="lg">
            <SegmentedControl
              aria-label={text.way}
              value={isTable ? 'table' : 'submit'}
              onChange={(view) => change({ view, draft: undefined })}
              data={[
                { value: 'submit', label: text.oneByForm },
                { value: 'table', label: text.manyByTable },
              ]}
              maw={360}
            />
            <WithDraft key={name} name={name} skeleton={<Skeleton height={220} />}>
              <Fields
                name={name}
                review={({ rows }) => setReviewed(rows.filter((row): row is CompleteRow => row.row !== undefined))}
              />
            </WithDraft>
          </Stack>
        )}
      </Box>
    </Page>
  );
}

interface ReviewPaymentsProps {
  readonly rows: readonly CompleteRow[];
  /** Of the draft that has these payments. */
  readonly draftName: string;
  readonly edit: () => void;
}

/** Shows whom the payments are for, and sends them once a person has confirmed them. */
function ReviewPayments({ rows, draftName, edit }: ReviewPaymentsProps): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  const format = useFormat();
  const [name, setName] = useState(
    () => `${format.instant(new Date().toISOString())} · ${text.count(format.number(rows.length))}`,
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
      change({ view: 'batches', batch, state: undefined, draft: undefined });
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
