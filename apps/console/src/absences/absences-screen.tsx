import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function AbsencesScreen(): ReactNode {
  return <Page title="AbsencesScreen">…</Page>;
}
