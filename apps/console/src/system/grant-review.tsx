import { List, Stack, Text, Title } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import type { ClientGrants } from './client-grants.ts';
import { messages } from './messages.ts';
import { operationNames, operationText, systemText } from './operation-text.ts';
import type { ClientsSection } from './system-routes.ts';
import styles from './system.module.css';

interface GrantReviewProps {
  readonly before: ClientGrants;
  readonly after: ClientGrants;
  readonly data: ClientsSection;
}

/** What a client loses and gains by a change. */
export function GrantReview({ before, after, data }: GrantReviewProps): ReactNode {
  const { grants: text, clients } = useMessages(messages);
  const names = useMessages(operationNames);
  const lists = [
    {
      name: clients.operations,
      all: data.operations.map(({ name }) => name),
      lists: [before.operations, after.operations],
      label: (name: string) => operationText(names, name),
    },
    {
      name: clients.systems,
      all: data.systems,
      lists: [before.systems, after.systems],
      label: (name: string) => systemText(clients.systemNames, name),
    },
    {
      name: clients.fields,
      all: data.fields.map(({ name }) => name).filter((name) => name !== 'id'),
      lists: [before.fields, after.fields],
      label: (name: string) => name,
    },
    {
      name: clients.customFields,
      all: data.customFields,
      lists: [before.customFields, after.customFields],
      label: (name: string) => name,
    },
  ];
  const changes = lists.map(({ name, all, lists: [from, to], label }) => {
    const [had, has] = [from ?? all, to ?? all];
    const difference = (list: readonly string[], others: readonly string[]): string[] =>
      list.filter((each) => !others.includes(each)).map(label);
    // A list of all names is not the same as all: it leaves out what the service gets later.
    let turned = '';
    if (from === null && to !== null) turned = text.noLongerAll;
    if (from !== null && to === null) turned = text.nowAll;
    return { name, lost: difference(had, has), gained: difference(has, had), turned };
  });

  return (
    <Stack>
      <div className={styles['columns']}>
        {(['lost', 'gained'] as const).map((kind) => (
          <section key={kind} className="panel" aria-label={text[kind]}>
            <Stack p="md" gap="xs">
              <Title order={3}>{text[kind]}</Title>
              {changes.every((change) => change[kind].length === 0) && <Text c="dimmed">{text.nothing}</Text>}
              {changes
                .filter((change) => change[kind].length > 0)
                .map((change) => (
                  <div key={change.name}>
                    <Text c="dimmed">{change.name}</Text>
                    <List
                      size="md"
                      icon={kind === 'lost' ? <IconMinus size={14} aria-hidden /> : <IconPlus size={14} aria-hidden />}
                    >
                      {change[kind].map((name) => (
                        <List.Item key={name}>{name}</List.Item>
                      ))}
                    </List>
                  </div>
                ))}
            </Stack>
          </section>
        ))}
      </div>
      {changes
        .filter(({ turned }) => turned !== '')
        .map(({ name, turned }) => (
          <Text key={name}>
            {name}: {turned}
          </Text>
        ))}
      <Text c="dimmed">{text.effect}</Text>
    </Stack>
  );
}
