import { IconCalendarUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Card, Nothing, PersonLink } from './card.tsx';
import { messages } from './messages.ts';
import type { TodayScreen } from './today-routes.ts';
import classes from './today.module.css';

/** Who starts and who leaves soon. */
export function StartingCard({ starting, leaving }: Pick<TodayScreen, 'starting' | 'leaving'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const entries = [
    ...starting.map((person) => ({ ...person, label: text.starts })),
    ...leaving.map((person) => ({ ...person, label: text.leaves })),
  ].toSorted((one, other) => format.compare(one.date, other.date));
  return (
    <Card title={text.starting} hint={text.startingHint}>
      {entries.length === 0 ? (
        <Nothing icon={<IconCalendarUser size={22} />} title={text.startingNone} />
      ) : (
        <ul className={classes['list']}>
          {entries.map(({ id, name, date, label }) => (
            <li key={`${id} ${label}`} className={classes['row']}>
              <span className={classes['main']}>
                <PersonLink id={id} name={name} />
              </span>
              <span className={classes['side']}>
                {label} {format.date(date)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
