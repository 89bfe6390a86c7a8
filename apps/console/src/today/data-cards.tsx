import { Badge, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import { useSession } from '../web/use-session.ts';
import { Card, Nothing } from './card.tsx';
import { messages } from './messages.ts';
import type { TodayScreen } from './today-routes.ts';
import classes from './today.module.css';

/** Active persons whom a salary or a letter cannot reach. */
export function MissingCard({ active, bankDetails, address }: TodayScreen['missing']): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const counts = [
    [bankDetails, text.withoutBank],
    [address, text.withoutAddress],
  ] as const;
  const isComplete = bankDetails + address === 0;
  return (
    <Card
      title={text.missing}
      hint={text.missingHint(format.number(active))}
      footer={!isComplete && <Link to="/people">{text.toPeople}</Link>}
    >
      {isComplete ? (
        <Nothing icon={<IconCircleCheck size={22} />} title={text.missingNone} />
      ) : (
        <ul className={classes['list']}>
          {counts
            .filter(([count]) => count > 0)
            .map(([count, label]) => (
              <li key={label} className={classes['row']}>
                <span className={classes['main']}>{label}</span>
                <b>{format.number(count)}</b>
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}

const stateColors = {
  starting: 'dimmed',
  syncing: 'dimmed',
  current: 'dimmed',
  failed: 'var(--mantine-color-error)',
} as const;

/** Whether the local copy is current. */
export function DataCard({ syncs }: Pick<TodayScreen, 'syncs'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { state, currentAt } = useSession().health;
  return (
    <Card title={text.data} footer={<Link to="/system">{text.toSystem}</Link>}>
      <ul className={classes['list']} aria-live="polite">
        <li className={classes['row']}>
          <span className={classes['main']}>
            <Badge variant="outline" color="gray" c={stateColors[state]} tt="none">
              {text.states[state]}
            </Badge>
          </span>
          <span className={classes['side']}>{text.asOf(format.shortInstant(currentAt))}</span>
        </li>
        {syncs.map(({ collection, syncedAt, error }) => (
          <li key={collection} className={classes['row']}>
            <span className={classes['main']}>
              {text.collections[collection]}
              {error !== undefined && (
                <Text size="sm" c="var(--mantine-color-error)">
                  {text.failedRun(error)}
                </Text>
              )}
            </span>
            <span className={classes['side']}>
              {syncedAt === undefined ? text.never : text.asOf(format.shortInstant(syncedAt))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
