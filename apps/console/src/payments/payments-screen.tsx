import { Box, Button } from '@mantine/core';
import { IconArrowLeft, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { Page } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { messages } from './messages.ts';
import { PaymentList } from './payment-list.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { SubmissionStatus } from './submission-status.tsx';
import { SubmitPayments } from './submit-payments.tsx';

/** In a wider table, people and their values would be too far apart to compare. */
const MAX_WIDTH = 1240;

/** All payments, or what submits new ones. */
export function PaymentsScreen(): ReactNode {
  const text = useMessages(messages);
  const [{ view, batch }, change] = usePaymentsSearch();
  const isEditor = useRole('editor');
  if (!isEditor || (view !== 'submit' && view !== 'table'))
    return <PaymentList submit={isEditor && <SubmitButton />} />;
  return (
    <Page
      title={text.submitTitle}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowLeft size={14} aria-hidden />}
          onClick={() => change({ view: undefined, batch: undefined })}
        >
          {text.back}
        </Button>
      }
    >
      <Box maw={MAX_WIDTH}>
        {batch === undefined ? (
          <SubmitPayments key={view} isTable={view === 'table'} />
        ) : (
          <SubmissionStatus key={batch} batch={batch} />
        )}
      </Box>
    </Page>
  );
}

function SubmitButton(): ReactNode {
  const text = useMessages(messages);
  const [, change] = usePaymentsSearch();
  return (
    <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => change({ view: 'submit' })}>
      {text.submitTitle}
    </Button>
  );
}
