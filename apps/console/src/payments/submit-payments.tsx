import { Box, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { WithDraft } from '../components/draft.tsx';
import { Page } from '../components/page.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { Check, CheckedRow, CompleteRow } from './check-payments.ts';
import { messages } from './messages.ts';
import { PaymentForm } from './payment-form.tsx';
import { PaymentGrid } from './payment-grid.tsx';
import { BackButton } from './payment-parts.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { ReviewPayments } from './review-payments.tsx';
import { submitMessages } from './submit-messages.ts';

/** In a wider table, people and their values would be too far apart to compare. */
const MAX_WIDTH = 1240;

/** Takes one payment by a form or many by a table, and shows them for review before they are sent. */
export function SubmitPayments({ isTable }: { readonly isTable: boolean }): ReactNode {
  const text = useMessages(submitMessages);
  const { submitTitle } = useMessages(messages);
  const [{ draft: correction }, change] = usePaymentsSearch();
  const [reviewed, setReviewed] = useState<readonly CompleteRow[] | undefined>();
  const tableName = correction === undefined ? 'table' : `table/${correction}`;
  const name = isTable ? tableName : 'payment';
  const Fields = isTable ? PaymentGrid : PaymentForm;
  const review = ({ rows }: Check): void => setReviewed(rows.filter(isComplete));
  return (
    <Page title={submitTitle} actions={<BackButton />}>
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
              <Fields name={name} review={review} />
            </WithDraft>
          </Stack>
        )}
      </Box>
    </Page>
  );
}

function isComplete(row: CheckedRow): row is CompleteRow {
  return row.row !== undefined;
}
