import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function ExplorerScreen(): ReactNode {
  return <Page title="ExplorerScreen">…</Page>;
}
