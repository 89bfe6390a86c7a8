import { Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ChangedValues, useAuthorTexts, useFieldNames } from '../components/changed-values.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Card, Nothing, PartOf, PersonLinks } from './card.tsx';
import type { Change } from './changes.ts';
import { messages } from './messages.ts';
import type { TodayScreen } from './today-routes.ts';
import classes from './today.module.css';

/** Who changed what. */
export function ChangesCard({ changes }: { readonly changes: TodayScreen['changes'] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Card title={text.changes} hint={text.changesHint}>
      <PartOf part={changes}>
        {(list) =>
          list.length === 0 ? (
            <Nothing icon={<IconHistory size={22} />} title={text.changesNone} />
          ) : (
            <ul className={classes['list']}>
              {list.map((change) => (
                <li key={`${change.at} ${change.operation}`} className={classes['row']}>
                  <ChangeText change={change} />
                  <time className={classes['side']} dateTime={change.at}>
                    {format.shortInstant(change.at)}
                  </time>
                </li>
              ))}
            </ul>
          )
        }
      </PartOf>
    </Card>
  );
}

function ChangeText({ change }: { readonly change: Change }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const operations: Readonly<Record<string, string>> = text.operations;
  const { nameOf, wayOf } = useAuthorTexts();
  const namesOf = useFieldNames();
  const { author, operation, changes, persons, people, fields, values } = change;
  return (
    <span className={classes['main']}>
      <b>{nameOf(author)}</b>{' '}
      <Text span size="sm" c="dimmed">
        ({wayOf(author)})
      </Text>{' '}
      {operations[operation] ?? text.operation(operation)}
      {fields.length > 0 && ` (${namesOf(fields)})`}
      {changes > 1 && ` (${text.moreTimes(format.number(changes))})`}
      {people.length > 0 && ': '}
      <PersonLinks people={people} count={persons} />
      <ChangedValues values={values} />
    </span>
  );
}
