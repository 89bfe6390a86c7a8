import { Badge, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState, type ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { Facts, type Fact } from '../components/facts.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, ScreenState } from '../components/page.tsx';
import { messages as shared } from '../shell/messages.ts';
import { useRole, useSees } from '../shell/session.ts';
import { ClientKeysDialog } from './client-keys-dialog.tsx';
import { GrantDialog, useGrantLists, type ClientProps } from './grant-dialog.tsx';
import { operationNames } from './operation-names.ts';
import { messages } from './messages.ts';
import type { ClientsSection as Data } from './system-routes.ts';
import styles from './system.module.css';

const API_SCOPE = 'api:use';

/** What each client of the service may use and see, and what it read last. */
export function ClientsSection(): ReactNode {
  const query = useScreen<Data>('system/clients', {}, { kinds: ['clients'] });
  const text = useMessages(messages).clients;
  const outlines = [1, 2, 3].map((client) => <Skeleton key={client} h={320} />);
  return (
    <ScreenState query={query} skeleton={<div className={styles['clients']}>{outlines}</div>}>
      {(data) =>
        data.clients.length === 0 ? (
          <Empty icon={<IconKeyOff size={32} />} title={text.none}>
            {text.noneText}
          </Empty>
        ) : (
          <div className={styles['clients']}>
            {data.clients.map((client) => (
              <ClientPanel key={client.clientId} client={client} data={data} />
            ))}
          </div>
        )
      }
    </ScreenState>
  );
}

function ClientPanel({ client, data }: ClientProps): ReactNode {
  const { clientId, name, scope, createdAt, disabledAt, lastTokenAt, grants, isOwn, lastReads } = client;
  const { secrets, keys = [], jwksUrl } = client;
  const text = useMessages(messages).clients;
  const names = useMessages(operationNames);
  const format = useFormat();
  const { withheld } = useMessages(shared);
  const isOperator = useRole('operator');
  const [seesPay, seesBirth] = [useSees('pay'), useSees('birth')];
  const lists = useGrantLists(data);
  const [isEditing, setIsEditing] = useState(false);
  const [isSettingKeys, setIsSettingKeys] = useState(false);
  const hasGrants = scope === API_SCOPE;
  const granted = lists.map(({ list, title, options, labelOf }): Fact => {
    const given = grants[list];
    if (given === null) return [title, text.all(options.length)];
    if (given.length === 0) return [title, text.noNames];
    return [
      title,
      <ul key={list} className={styles['names']}>
        {given.map((each) => (
          <li key={each} className={styles['name']}>
            {labelOf(each)}
          </li>
        ))}
      </ul>,
    ];
  });
  const lines = [
    ...secrets.map((secret) => text.secretSince(format.instant(secret.createdAt))),
    ...(jwksUrl === undefined ? [] : [text.keysFrom(jwksUrl)]),
    ...keys.map((key) => text.keySince(key.kid, key.alg, format.instant(key.createdAt))),
  ];
  const credentials = (lines.length > 0 ? lines : [text.noCredentials]).map((line) => (
    <Text key={line} style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ));
  const operatorScope = (
    <>
      <Code>{scope}</Code> {text.operatorScope}
    </>
  );

  return (
    <section className="panel" aria-labelledby={`client-${clientId}`}>
      <Stack p="md" gap="md">
        <Group justify="space-between" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Title order={2} id={`client-${clientId}`}>
                {name}
              </Title>
              {isOwn && <Badge c="dimmed">{text.own}</Badge>}
              {disabledAt !== undefined && (
                <Badge variant="outline" color="red">
                  {text.disabled(format.instant(disabledAt))}
                </Badge>
              )}
            </Group>
            <Code style={{ overflowWrap: 'anywhere' }}>{clientId}</Code>
          </div>
          {isOperator && hasGrants && (
            <Group gap="xs">
              {seesPay && seesBirth && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => setIsSettingKeys(true)}
                  aria-label={text.keysOf(name)}
                >
                  {text.keys}
                </Button>
              )}
              <Button variant="default" size="xs" onClick={() => setIsEditing(true)} aria-label={text.editOf(name)}>
                {text.edit}
              </Button>
            </Group>
          )}
        </Group>
        <Facts
          facts={[
            ...(hasGrants ? granted : [[text.scope, operatorScope] as const]),
            [text.authentication, credentials],
            [text.lastToken, lastTokenAt === undefined ? text.never : format.instant(lastTokenAt)],
            [
              text.lastReads,
              <Fragment key="reads">
                {lastReads.length === 0 && <Text>{seesPay ? text.noReads : withheld.pay}</Text>}
                {lastReads.map(({ id, at, operation, elements }) => (
                  <Text key={id}>
                    {format.shortInstant(at)}: {names[operation] ?? operation} ({text.records(format.number(elements))})
                  </Text>
                ))}
                <Link className={styles['link']} to="/system" search={{ tab: 'audit', actor: clientId }}>
                  {text.audit}
                </Link>
              </Fragment>,
            ],
            [text.created, format.instant(createdAt)],
          ]}
        />
      </Stack>
      {isSettingKeys && <ClientKeysDialog client={client} close={() => setIsSettingKeys(false)} />}
      {isEditing && <GrantDialog client={client} data={data} close={() => setIsEditing(false)} />}
    </section>
  );
}
