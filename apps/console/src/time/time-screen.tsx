import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function TimeScreen(): ReactNode {
  return <Page title="TimeScreen">…</Page>;
}
