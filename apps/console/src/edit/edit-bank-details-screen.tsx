import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function EditBankDetailsScreen(): ReactNode {
  return <Page title="EditBankDetailsScreen">…</Page>;
}
