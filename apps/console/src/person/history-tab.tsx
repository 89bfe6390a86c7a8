import { Stack, Switch, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { ChangedValues, useAuthorTexts, useFieldNames } from '../components/changed-values.tsx';
import { Empty } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { HistoryEvent, PersonHistory } from './person-history.ts';

/** Who read or changed data of a person, and what changed. */
export function HistoryTab({ history: { events, isCut, days } }: { readonly history: PersonHistory }): ReactNode {
  const { history: text } = useMessages(messages);
  const format = useFormat();
  const { nameOf, wayOf } = useAuthorTexts();
  const namesOf = useFieldNames();
  const [showsOwnReads, setShowsOwnReads] = useState(false);
  const what = ({ what: operations, fields, access, times }: HistoryEvent): string => {
    const words = format.list(
      operations.map((name) => (text.operations as Readonly<Record<string, string>>)[name] ?? name),
    );
    const named = fields.length === 0 ? words : `${words}: ${namesOf(fields)}`;
    const sentence = access === 'refused' ? text.refused(named) : named;
    return times === 1 ? sentence : `${sentence}, ${text.times(format.number(times))}`;
  };
  const ownReads = events.reduce((sum, { isOwnRead, times }) => sum + (isOwnRead ? times : 0), 0);
  const shown = events.filter(({ isOwnRead }) => showsOwnReads || !isOwnRead);
  return (
    <Stack gap="sm">
      {ownReads > 0 && (
        <Switch
          size="xs"
          label={text.ownReads(format.number(ownReads))}
          checked={showsOwnReads}
          onChange={(event) => setShowsOwnReads(event.currentTarget.checked)}
        />
      )}
      {shown.length === 0 ? (
        <Empty icon={<IconHistory size={32} />} title={text.empty}>
          {text.emptyHelp} {text.note}
        </Empty>
      ) : (
        <ScrollTable
          caption={text.caption(format.number(days))}
          minWidth={620}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            { header: text.at, render: ({ at }) => format.instant(at) },
            {
              header: text.what,
              render: (event) => (
                <>
                  <Text span inherit fw={event.access === 'read' ? 400 : 500}>
                    {what(event)}
                  </Text>
                  <ChangedValues values={event.values} />
                </>
              ),
            },
            { header: text.who, render: ({ author }) => nameOf(author) },
            { header: text.way, render: ({ author }) => wayOf(author) },
          ]}
          note={
            <>
              {isCut && <Text component="span">{text.cut} </Text>}
              {text.note}
            </>
          }
        />
      )}
    </Stack>
  );
}
