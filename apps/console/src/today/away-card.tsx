import { Text } from '@mantine/core';
import { IconBeach } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { useSession } from '../shell/session.ts';
import { Card, Nothing, PersonLink } from './card.tsx';
import { messages } from './messages.ts';
import type { TodayScreen } from './today-routes.ts';
import classes from './today.module.css';

/** Who is away today, and until when. */
export function AwayCard({ away, date }: { readonly away: TodayScreen['away']; readonly date: string }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { currentAt } = useSession().health;
  if (away === undefined) {
    return (
      <Card title={text.away}>
        <Nothing icon={<IconBeach size={22} />} title={text.awayReading} />
      </Card>
    );
  }
  const { count, people } = away;
  const untilOf = (until: string | undefined): string => {
    if (until === undefined) return text.openEnd;
    return until === date ? text.onlyToday : text.until(format.date(until));
  };
  return (
    <Card
      title={text.away}
      count={format.number(count)}
      hint={text.asOf(format.shortInstant(currentAt))}
      footer={
        count > 0 && (
          <Link to="/absences" search={{ day: date }}>
            {text.awayAll(count, format.number(count))}
          </Link>
        )
      }
    >
      {count === 0 ? (
        <Nothing icon={<IconBeach size={22} />} title={text.awayNone}>
          {text.awayNoneHint}
        </Nothing>
      ) : (
        <ul className={classes['list']}>
          {people.map(({ id, name, key, until }) => (
            <li key={id} className={classes['row']}>
              <span className={classes['main']}>
                <PersonLink id={id} name={name} />
              </span>
              <span className={classes['key']}>
                {key === undefined ? text.noKey : <LabelText kind="bookingKey" id={key} unnamed={text.key(key)} />}
              </span>
              <Text span className={classes['side']} miw={124}>
                {untilOf(until)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
