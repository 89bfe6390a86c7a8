import { Code, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import { messages } from './messages.ts';
import type { HistoryEvent, PersonHistory } from './person-history.ts';
import { ScrollTable } from '../components/scroll-table.tsx';

/** Who read or changed data of a person. */
export function HistoryTab({ history: { events, isCut, days } }: { readonly history: PersonHistory }): ReactNode {
  const { history: text } = useMessages(messages);
  const format = useFormat();
  const who = ({ actor, access, isThisConsole }: HistoryEvent): string => {
    if (access === 'console') return text.inConsole(actor);
    if (isThisConsole) return `${text.thisConsole} (${actor})`;
    return actor === 'command line' ? text.commandLine : actor;
  };
  const what = ({ what: operation, access, times }: HistoryEvent): string => {
    const words = text.operations[operation as keyof typeof text.operations] ?? operation;
    const sentence = access === 'refused' ? text.refused(words) : words;
    return times === 1 ? sentence : `${sentence}, ${text.times(format.number(times))}`;
  };
  if (events.length === 0) {
    return (
      <Empty icon={<IconHistory size={32} />} title={text.empty}>
        {text.emptyHelp} {text.note}
      </Empty>
    );
  }
  return (
    <ScrollTable
      caption={text.caption(format.number(days))}
      minWidth={620}
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        { header: text.at, render: ({ at }) => format.instant(at) },
        {
          header: text.what,
          render: (event) => (
            <Text span inherit fw={event.access === 'read' ? 400 : 500}>
              {what(event)}
            </Text>
          ),
        },
        { header: text.who, render: who },
        { header: text.operation, render: ({ access, what: id }) => access !== 'console' && <Code>{id}</Code> },
      ]}
      note={
        <>
          {isCut && <Text component="span">{text.cut} </Text>}
          {text.note}
        </>
      }
    />
  );
}
