import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { statuses } from '../model/statuses.ts';
import classes from './status-label.module.css';

/** The account status in words, with a dot that is filled for active persons. An unknown status shows as it is. */
export function StatusLabel({ status }: { readonly status: string | null | undefined }): ReactNode {
  const names = useMessages(statuses);
  if (!status) return null;
  return (
    <span className={classes['label']} data-status={status}>
      <span className={classes['dot']} aria-hidden />
      {names[status] ?? status}
    </span>
  );
}
