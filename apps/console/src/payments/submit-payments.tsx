import { SegmentedControl, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import type { Check, CheckedRow, SubmissionRow } from './check-payments.ts';
import { useDropInput } from './kept-input.ts';
import { submitMessages } from './submit-messages.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentGrid } from './payment-grid.tsx';
import { ReviewPayments, type ReviewedRow } from './review-payments.tsx';
import { usePaymentsSearch } from './payments-search.ts';

interface Review {
  /** Made once for a review, so that a request that is repeated sends nothing twice. */
  readonly batch: string;
  readonly rows: readonly ReviewedRow[];
}

/** Takes one payment by a form or many by a table, and shows them for review before they are sent. */
export function SubmitPayments({ isTable }: { readonly isTable: boolean }): ReactNode {
  const text = useMessages(submitMessages);
  const [, change] = usePaymentsSearch();
  const drop = useDropInput();
  const [review, setReview] = useState<Review | undefined>();

  function startReview({ rows }: Check): void {
    setReview({ batch: crypto.randomUUID(), rows: rows.filter(isComplete) });
  }

  if (review) {
    const names = isTable ? ['table', 'rows'] : ['form'];
    return <ReviewPayments {...review} edit={() => setReview(undefined)} onSubmit={() => drop(...names)} />;
  }
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label={text.way}
        value={isTable ? 'table' : 'submit'}
        onChange={(view) => change({ view })}
        data={[
          { value: 'submit', label: text.oneByForm },
          { value: 'table', label: text.manyByTable },
        ]}
        maw={360}
      />
      {isTable ? <PaymentGrid review={startReview} /> : <PaymentForm review={startReview} />}
    </Stack>
  );
}

function isComplete(row: CheckedRow): row is CheckedRow & { readonly row: SubmissionRow } {
  return row.row !== undefined;
}
