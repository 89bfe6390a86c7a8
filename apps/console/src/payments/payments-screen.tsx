import { Box } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { Page } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { BatchScreen } from './batch-screen.tsx';
import { BatchList } from './batch-list.tsx';
import type { Deciding } from './decide-bar.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { messages } from './messages.ts';
import { PaymentList } from './payment-list.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { BackButton } from './payment-parts.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { SubmitPayments } from './submit-payments.tsx';

/** In a wider table, people and their values would be too far apart to compare. */
const MAX_WIDTH = 1240;

/** Payments, batches of them, or what submits new ones. */
export function PaymentsScreen(): ReactNode {
  const [{ view, batch, payment, run }] = usePaymentsSearch();
  // The dialog shows what was chosen, also when the list changes behind it.
  const [deciding, setDeciding] = useState<Deciding | undefined>();
  const isEditor = useRole('editor');
  const content = (): ReactNode => {
    if (batch !== undefined) return <BatchScreen key={batch} id={batch} decide={setDeciding} />;
    if (view === 'batches') return <BatchList />;
    if (isEditor && view !== undefined) return <SubmitScreen isTable={view === 'table'} />;
    return <PaymentList decide={setDeciding} />;
  };
  return (
    <>
      {content()}
      {payment !== undefined && <PaymentPanel key={payment} id={payment} decide={setDeciding} />}
      {(deciding !== undefined || run !== undefined) && (
        <DecideDialog given={deciding} forget={() => setDeciding(undefined)} />
      )}
    </>
  );
}

function SubmitScreen({ isTable }: { readonly isTable: boolean }): ReactNode {
  const text = useMessages(messages);
  return (
    <Page title={text.submitTitle} actions={<BackButton />}>
      <Box maw={MAX_WIDTH}>
        <SubmitPayments key={String(isTable)} isTable={isTable} />
      </Box>
    </Page>
  );
}
