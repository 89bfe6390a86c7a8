import { Badge, Button, NativeSelect, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { AuditEvent } from '../backend/operator-client.ts';
import type { ConsoleEvent } from '../backend/records.ts';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { DateInput } from '../components/date-input.tsx';
import { useMessages } from '../shell/locale.tsx';
import { useSearchOf } from '../shell/search.ts';
import { Empty, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import type { LabelChange } from '../model/labels.ts';
import { LabelChanges } from './label-changes.tsx';
import { messages } from './messages.ts';
import { operationNames, operationText } from './operation-text.ts';
import type { AuditSection as Data } from './system-routes.ts';
import { systemSearch, type SystemSearch } from './system-search.ts';
import styles from './system.module.css';

const COMMAND_LINE = 'command line';
const MAX_CHANGES = 3;
const aboutPersons: ReadonlySet<string> = new Set(['reveal-bank-details', 'update-address', 'update-bank-details']);

/** Who read or changed whose data, by the audit of the service and by the console's own record. */
export function AuditSection(): ReactNode {
  const [{ tab: _, q: _q, kind: _kind, ...filters }, show] = useSearchOf<SystemSearch>();
  const query = useScreen<Data>('system/audit', { ...filters });
  const actors = query.data?.actors ?? [];
  return (
    <Stack gap="lg">
      <FilterForm filters={filters} actors={actors} show={show} />
      <ScreenState
        query={query}
        skeleton={
          <Stack>
            <Skeleton h={320} />
            <Skeleton h={200} />
          </Stack>
        }
      >
        {(data) => <Events data={data} />}
      </ScreenState>
    </Stack>
  );
}

interface FilterFormProps {
  readonly filters: Pick<SystemSearch, 'actor' | 'person' | 'access' | 'since'>;
  readonly actors: readonly string[];
  readonly show: (change: SystemSearch) => void;
}

function FilterForm({ filters, actors, show }: FilterFormProps): ReactNode {
  const text = useMessages(messages).audit;
  const { actor = '', person = '', access = '', since = '' } = filters;
  const [typed, setTyped] = useState(person);
  const [shown, setShown] = useState(person);
  // Another address, such as after Back.
  if (shown !== person) {
    setShown(person);
    setTyped(person);
  }
  const names = [...new Set([...actors, COMMAND_LINE, 'unknown', ...(actor ? [actor] : [])])];
  const change = (changed: Readonly<Record<string, string>>): void => show(systemSearch(changed));

  return (
    <search>
      <form
        className={styles['filters']}
        onSubmit={(event) => {
          event.preventDefault();
          change({ person: typed.trim() });
        }}
      >
        <NativeSelect
          label={text.actor}
          value={actor}
          onChange={({ currentTarget }) => change({ actor: currentTarget.value })}
          data={[
            { value: '', label: text.anyActor },
            ...names.map((name) => ({ value: name, label: name === COMMAND_LINE ? text.commandLine : name })),
          ]}
        />
        <TextInput
          label={text.person}
          value={typed}
          maxLength={255}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={() => {
            if (typed.trim() !== person) change({ person: typed.trim() });
          }}
        />
        <NativeSelect
          label={text.access}
          value={access}
          onChange={({ currentTarget }) => change({ access: currentTarget.value })}
          data={[
            { value: '', label: text.anyAccess },
            ...(['read', 'change', 'refused'] as const).map((kind) => ({ value: kind, label: text.accesses[kind] })),
          ]}
        />
        <DateInput
          kind="date"
          size="sm"
          label={text.since}
          value={since}
          onChange={(value, isValid) => (isValid || value === '') && change({ since: value })}
        />
        <Button
          variant="default"
          disabled={Object.keys(filters).length === 0}
          onClick={() => change({ actor: '', person: '', access: '', since: '' })}
        >
          {text.reset}
        </Button>
      </form>
    </search>
  );
}

function Events({ data: { events, own, isCut } }: { readonly data: Data }): ReactNode {
  const text = useMessages(messages).audit;
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Title order={2}>{text.service}</Title>
        {events.length === 0 ? (
          <Empty icon={<IconEyeOff size={32} />} title={text.none}>
            {text.noneText}
          </Empty>
        ) : (
          <ServiceEvents events={events} />
        )}
        {isCut && <Text c="dimmed">{text.cut(events.length)}</Text>}
      </Stack>
      <Stack gap="xs">
        <Title order={2}>{text.own}</Title>
        <Text c="dimmed">{text.ownText}</Text>
        {own.length === 0 ? <Empty icon={<IconEyeOff size={32} />} title={text.noneOwn} /> : <OwnEvents events={own} />}
      </Stack>
    </Stack>
  );
}

function ServiceEvents({ events }: { readonly events: readonly AuditEvent[] }): ReactNode {
  const text = useMessages(messages).audit;
  const names = useMessages(operationNames);
  const format = useFormat();
  return (
    <ScrollTable
      caption={text.service}
      hidesCaption
      minWidth={640}
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        { header: text.at, render: ({ at }) => format.shortInstant(at) },
        { header: text.actor, render: ({ actor }) => (actor === COMMAND_LINE ? text.commandLine : actor) },
        {
          header: text.what,
          render: ({ operation, access, status }) => (
            <>
              {operationText(names, operation)}{' '}
              {access !== 'read' && (
                <Badge {...(access === 'refused' && { variant: 'outline', color: 'red' })}>
                  {access === 'change' ? text.changed : text.refused(status)}
                </Badge>
              )}
            </>
          ),
        },
        {
          header: text.about,
          render: ({ personId, payrollContractId: contractId, objectId }) => (
            <Stack gap={0}>
              {personId !== undefined && <PersonLink personId={personId} />}
              {contractId !== undefined && (
                <Link className={styles['link']} to="/contracts/$contractId" params={{ contractId }}>
                  {text.contractId(contractId)}
                </Link>
              )}
              {objectId !== undefined && <span>{objectId}</span>}
            </Stack>
          ),
        },
        { header: text.elements, figures: 'end', render: ({ elements }) => format.number(elements) },
        {
          header: text.requestId,
          render: ({ requestId }) => (
            <Text size="xs" c="dimmed" ff="monospace">
              {requestId}
            </Text>
          ),
        },
      ]}
    />
  );
}

function OwnEvents({ events }: { readonly events: readonly ConsoleEvent[] }): ReactNode {
  const text = useMessages(messages).audit;
  const format = useFormat();
  return (
    <ScrollTable
      caption={text.own}
      hidesCaption
      minWidth={640}
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        { header: text.at, render: ({ at }) => format.shortInstant(at) },
        { header: text.user, render: ({ user }) => user },
        { header: text.what, render: ({ action }) => text.actions[action] },
        {
          header: text.about,
          render: ({ action, subject }) => {
            if (subject === undefined) return undefined;
            if (action === 'change-labels') {
              return <LabelChanges changes={JSON.parse(subject) as LabelChange[]} max={MAX_CHANGES} />;
            }
            return aboutPersons.has(action) ? <PersonLink personId={subject} /> : subject;
          },
        },
      ]}
    />
  );
}

function PersonLink({ personId }: { readonly personId: string }): ReactNode {
  const text = useMessages(messages).audit;
  return (
    <Link className={styles['link']} to="/people/$personId" params={{ personId }}>
      {text.personId(personId)}
    </Link>
  );
}
