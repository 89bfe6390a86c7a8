import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function ContractScreen(): ReactNode {
  return <Page title="ContractScreen">…</Page>;
}
