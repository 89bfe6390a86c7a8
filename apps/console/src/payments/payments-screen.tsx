import { useState, type ReactNode } from 'react';
import { Page } from '../components/page.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { useRole, useSees } from '../shell/session.ts';
import { BatchList, BatchScreen } from './batch-screen.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { PaymentList } from './payment-list.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import type { Deciding } from './payment-parts.tsx';
import { usePaymentsSearch } from './payments-search.ts';
import { SubmitPayments } from './submit-payments.tsx';

/** Payments, batches of them, or what submits new ones. */
export function PaymentsScreen(): ReactNode {
  const [{ view, batch, payment, run }] = usePaymentsSearch();
  // The dialog shows what was chosen, also when the list changes behind it.
  const [deciding, setDeciding] = useState<Deciding | undefined>();
  const isEditor = useRole('editor');
  const seesPay = useSees('pay');
  const { payments: title, withheld } = useMessages(shared);
  if (!seesPay) return <Page title={title}>{withheld.pay}</Page>;
  const content = (): ReactNode => {
    if (batch !== undefined) return <BatchScreen key={batch} id={batch} decide={setDeciding} />;
    if (view === 'batches') return <BatchList />;
    if (isEditor && view !== undefined) return <SubmitPayments key={view} isTable={view === 'table'} />;
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
