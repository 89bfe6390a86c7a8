import { Alert, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { Collection } from '@hr/client/mirror';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { syncMessages } from './sync-messages.ts';
import type { SyncCounts } from './sync-jobs.ts';
import styles from './system.module.css';

interface DriftReportProps {
  readonly collection: Collection;
  /** When it was found, before a text. */
  readonly at: string;
  readonly result: SyncCounts;
}

/** What differs between the local copy and the service. */
export function DriftReport({ collection, at, result }: DriftReportProps): ReactNode {
  const text = useMessages(syncMessages);
  const format = useFormat();
  const { added, changed, deleted, erased, unchanged, differences } = result;
  const total = added + changed + deleted + erased;
  if (total === 0) {
    return (
      <Alert variant="outline" icon={<IconCircleCheck />}>
        {at + text.noDrift(format.number(unchanged))}
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="yellow" icon={<IconInfoCircle />} title={at + text.drift(format.number(total))}>
      <Stack gap="xs">
        <Text>{text.driftText}</Text>
        <div className={styles['differences']}>
          <ScrollTable
            caption={text.driftTable}
            hidesCaption
            minWidth={0}
            rows={differences}
            keyOf={({ id }) => id}
            columns={[
              {
                header: text.id,
                render: ({ id }) =>
                  collection === 'persons' ? (
                    <Link className={styles['link']} to="/people/$personId" params={{ personId: id }}>
                      {id}
                    </Link>
                  ) : (
                    id
                  ),
              },
              { header: text.difference, render: ({ kind }) => text.kinds[kind] },
              { header: text.fields, render: ({ kind, fields }) => (kind === 'added' ? '' : fields.join(', ')) },
            ]}
          />
        </div>
        {total > differences.length && <Text c="dimmed">{text.more(format.number(total - differences.length))}</Text>}
      </Stack>
    </Alert>
  );
}
