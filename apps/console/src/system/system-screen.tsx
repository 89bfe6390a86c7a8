import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function SystemScreen(): ReactNode {
  return <Page title="SystemScreen">…</Page>;
}
