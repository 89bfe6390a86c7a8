import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { WithDraft } from '../components/draft.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { Check, CheckedRow, SubmissionRow } from './check-payments.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentGrid } from './payment-grid.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { ReviewPayments, type ReviewedRow } from './review-payments.tsx';
import { submitMessages } from './submit-messages.ts';

interface Review {
  /** Made once for a review, so that a request that is repeated sends nothing twice. */
  readonly batch: string;
  readonly rows: readonly ReviewedRow[];
}

/** Takes one payment by a form or many by a table, and shows them for review before they are sent. */
export function SubmitPayments({ isTable }: { readonly isTable: boolean }): ReactNode {
  const text = useMessages(submitMessages);
  const [{ draft: correction }, change] = usePaymentsSearch();
  const [review, setReview] = useState<Review | undefined>();
  const tableName = correction === undefined ? 'table' : `table/${correction}`;
  const name = isTable ? tableName : 'payment';
  const startReview = ({ rows }: Check): void =>
    setReview({ batch: crypto.randomUUID(), rows: rows.filter(isComplete) });

  if (review) {
    return <ReviewPayments {...review} draftName={name} edit={() => setReview(undefined)} />;
  }
  return (
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
        {isTable ? <PaymentGrid name={name} review={startReview} /> : <PaymentForm name={name} review={startReview} />}
      </WithDraft>
    </Stack>
  );
}

function isComplete(row: CheckedRow): row is CheckedRow & { readonly row: SubmissionRow } {
  return row.row !== undefined;
}
