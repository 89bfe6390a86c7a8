import { Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { useSession } from '../shell/session.ts';
import { gapNames } from '../model/gaps.ts';
import { Card, Nothing, PersonLinks } from './card.tsx';
import { messages } from './messages.ts';
import type { TodayScreen } from './today-routes.ts';
import classes from './today.module.css';

/** Active persons who lack something that somebody should add. */
export function MissingCard({ active, gaps }: TodayScreen['missing']): ReactNode {
  const names = useMessages(gapNames);
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Card title={text.missing} hint={text.missingHint(format.number(active))}>
      {gaps.length === 0 ? (
        <Nothing icon={<IconCircleCheck size={22} />} title={text.missingNone} />
      ) : (
        <ul className={classes['list']}>
          {gaps.map(({ gap, count, people }) => (
            <li key={gap} className={classes['row']}>
              <span className={classes['main']}>
                <Link to="/people" search={{ missing: gap }}>
                  <b>{format.number(count)}</b> {names[gap]}
                </Link>
                : <PersonLinks people={people} count={count} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Whether the local copy is current. */
export function DataCard({ syncs }: Pick<TodayScreen, 'syncs'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { state, currentAt } = useSession().health;
  return (
    <Card title={text.data} hint={text.states[state]} footer={<Link to="/system">{text.toSystem}</Link>}>
      <ul className={classes['list']} aria-live="polite">
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
              {syncedAt === undefined
                ? text.never
                : text.asOf(format.shortInstant(error === undefined ? currentAt : syncedAt))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
