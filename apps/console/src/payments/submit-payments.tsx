import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useMessages } from '../web/locale.tsx';
import type { Check, CheckedRow, SubmissionRow } from './check-payments.ts';
import { submitMessages } from './submit-messages.ts';
import type { Cells } from './payment-cells.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentGrid } from './payment-grid.tsx';
import { ReviewPayments } from './review-payments.tsx';
import type { ReviewedRow } from './review-payments.tsx';
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
  const [cells, setCells] = useState<readonly Cells[]>([]);
  const [review, setReview] = useState<Review | undefined>();

  function startReview({ rows }: Check): void {
    setCells(rows.map((row) => row.cells));
    setReview({ batch: crypto.randomUUID(), rows: rows.filter(isComplete) });
  }

  if (review) return <ReviewPayments {...review} edit={() => setReview(undefined)} />;
  return (
    <Stack gap="lg">
      <SegmentedControl
        value={isTable ? 'table' : 'submit'}
        onChange={(view) => change({ view })}
        data={[
          { value: 'submit', label: text.oneByForm },
          { value: 'table', label: text.manyByTable },
        ]}
        maw={360}
      />
      {isTable ? (
        <PaymentGrid given={cells} review={startReview} />
      ) : (
        <PaymentForm given={cells[0] ?? {}} review={startReview} />
      )}
    </Stack>
  );
}

function isComplete(row: CheckedRow): row is CheckedRow & { readonly row: SubmissionRow } {
  return row.row !== undefined;
}
