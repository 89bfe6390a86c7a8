import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function PersonScreen(): ReactNode {
  return <Page title="PersonScreen">…</Page>;
}
