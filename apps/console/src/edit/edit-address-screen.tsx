import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function EditAddressScreen(): ReactNode {
  return <Page title="EditAddressScreen">…</Page>;
}
