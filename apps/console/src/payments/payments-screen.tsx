import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function PaymentsScreen(): ReactNode {
  return <Page title="PaymentsScreen">…</Page>;
}
