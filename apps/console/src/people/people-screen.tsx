import type { ReactNode } from 'react';
import { Page } from '../web/page.tsx';

export function PeopleScreen(): ReactNode {
  return <Page title="PeopleScreen">…</Page>;
}
