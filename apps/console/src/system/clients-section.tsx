import { Badge, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, ScreenState } from '../components/page.tsx';
import { useRole } from '../shell/session.ts';
import { GrantDialog } from './grant-dialog.tsx';
import { operationNames, operationText, systemText } from './operation-text.ts';
import { messages } from './messages.ts';
import type { ClientRow, ClientsSection as Data } from './system-routes.ts';
import styles from './system.module.css';

const API_SCOPE = 'api:use';

/** What each client of the service may use and see, and what it read last. */
export function ClientsSection(): ReactNode {
  const query = useScreen<Data>('system/clients', {}, { kinds: ['clients'] });
  const text = useMessages(messages).clients;
  return (
    <ScreenState
      query={query}
      skeleton={
        <div className={styles['clients']}>
          {[1, 2, 3].map((number) => (
            <Skeleton key={number} h={320} />
          ))}
        </div>
      }
    >
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

function ClientPanel({ client, data }: { readonly client: ClientRow; readonly data: Data }): ReactNode {
  const { clientId, name, scope, createdAt, disabledAt, lastTokenAt, isOwn, lastReads } = client;
  const { operations, systems, fields, customFields } = client;
  const text = useMessages(messages).clients;
  const names = useMessages(operationNames);
  const format = useFormat();
  const isOperator = useRole('operator');
  const [isEditing, setIsEditing] = useState(false);
  const hasGrants = scope === API_SCOPE;

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
            <Button variant="default" size="xs" onClick={() => setIsEditing(true)} aria-label={text.editOf(name)}>
              {text.edit}
            </Button>
          )}
        </Group>
        <dl className={styles['facts']}>
          {hasGrants ? (
            <>
              <dt>{text.operations}</dt>
              <dd>
                <Names
                  names={operations?.map((id) => operationText(names, id))}
                  all={text.all(data.operations.length)}
                />
              </dd>
              <dt>{text.systems}</dt>
              <dd>
                <Names names={systems?.map((system) => systemText(text.systemNames, system))} all={text.allSystems} />
              </dd>
              <dt>{text.fields}</dt>
              <dd>
                <Names names={fields} all={text.all(data.fields.length)} />
              </dd>
              <dt>{text.customFields}</dt>
              <dd>{customFields.length === 0 ? text.noCustomFields : <Names names={customFields} all="" />}</dd>
            </>
          ) : (
            <>
              <dt>{text.scope}</dt>
              <dd>
                <Code>{scope}</Code> {text.operatorScope}
              </dd>
            </>
          )}
          <dt>{text.lastToken}</dt>
          <dd>{lastTokenAt === undefined ? text.never : format.instant(lastTokenAt)}</dd>
          <dt>{text.lastReads}</dt>
          <dd>
            {lastReads.length === 0 && <Text>{text.noReads}</Text>}
            {lastReads.map(({ id, at, operation, elements }) => (
              <Text key={id}>
                {format.shortInstant(at)}: {operationText(names, operation)} ({text.records(format.number(elements))})
              </Text>
            ))}
            <Link className={styles['link']} to="/system" search={{ tab: 'audit', actor: clientId }}>
              {text.audit}
            </Link>
          </dd>
          <dt>{text.created}</dt>
          <dd>{format.instant(createdAt)}</dd>
        </dl>
      </Stack>
      {isEditing && <GrantDialog client={client} data={data} close={() => setIsEditing(false)} />}
    </section>
  );
}

function Names({ names, all }: { readonly names: readonly string[] | undefined; readonly all: string }): ReactNode {
  if (names === undefined) return all;
  return (
    <ul className={styles['names']}>
      {names.map((name) => (
        <li key={name} className={styles['name']}>
          {name}
        </li>
      ))}
    </ul>
  );
}
