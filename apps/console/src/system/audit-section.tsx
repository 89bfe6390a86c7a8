import { Badge, Button, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { FilterSelect } from '../components/filter-select.tsx';
import { Empty, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import type { LabelChange } from '../model/labels.ts';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { useSearchOf, useTyped } from '../shell/search.ts';
import { LabelChanges } from './labels-section.tsx';
import { messages } from './messages.ts';
import { operationNames } from './operation-names.ts';
import type { AuditSection as Data } from './system-routes.ts';
import type { SystemSearch } from './system-search.ts';
import styles from './system.module.css';

const COMMAND_LINE = 'command line';
const MAX_CHANGES = 3;
const aboutPersons: ReadonlySet<string> = new Set(['reveal-bank-details', 'update-address', 'update-bank-details']);
const noFilters = { actor: undefined, person: undefined, access: undefined, since: undefined };

/** Who read or changed whose data, by the audit of the service and by the console's own record. */
export function AuditSection(): ReactNode {
  const text = useMessages(messages).audit;
  const [{ actor, person, access, since }, change] = useSearchOf<SystemSearch>();
  const filters = { actor, person, access, since };
  const query = useScreen<Data>('system/audit', filters);
  const [typed, setTyped] = useTyped(person ?? '', (value) => change({ person: value.trim() || undefined }));
  const actors = [...(query.data?.actors ?? []), COMMAND_LINE, 'unknown'];
  return (
    <Stack gap="lg">
      <search className={styles['filters']}>
        <FilterSelect
          label={text.actor}
          all={text.anyActor}
          choices={actors.map((value) => ({ value, label: value === COMMAND_LINE ? text.commandLine : value }))}
          value={actor}
          onChange={(value) => change({ actor: value })}
        />
        <TextInput
          size="xs"
          label={text.person}
          value={typed}
          maxLength={255}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <FilterSelect
          label={text.access}
          all={text.anyAccess}
          choices={Object.entries(text.accesses).map(([value, label]) => ({ value, label }))}
          value={access}
          onChange={(value) => change({ access: value as SystemSearch['access'] })}
        />
        <DateInput
          kind="date"
          label={text.since}
          value={since ?? ''}
          onChange={(value, isValid) => (isValid || value === '') && change({ since: value || undefined })}
        />
        <Button
          variant="default"
          size="xs"
          disabled={Object.values(filters).every((value) => value === undefined)}
          onClick={() => change(noFilters)}
        >
          {text.reset}
        </Button>
      </search>
      <ScreenState query={query} skeleton={<Skeleton h={320} />}>
        {(data) => <Events data={data} />}
      </ScreenState>
    </Stack>
  );
}

function Events({ data: { events, own, isCut } }: { readonly data: Data }): ReactNode {
  const text = useMessages(messages).audit;
  const names = useMessages(operationNames);
  const format = useFormat();
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Title order={2}>{text.service}</Title>
        {events.length === 0 ? (
          <Empty icon={<IconEyeOff size={32} />} title={text.none}>
            {text.noneText}
          </Empty>
        ) : (
          <ScrollTable
            caption={text.service}
            hidesCaption
            minWidth={640}
            rows={events}
            keyOf={({ id }) => id}
            columns={[
              { header: text.at, render: ({ at }) => format.shortInstant(at) },
              {
                header: text.actor,
                render: ({ actor, person }) => (
                  <Stack gap={0}>
                    {person !== undefined && <span>{person}</span>}
                    <Text span inherit {...(person !== undefined && { c: 'dimmed' })}>
                      {actor === COMMAND_LINE ? text.commandLine : actor}
                    </Text>
                  </Stack>
                ),
              },
              {
                header: text.what,
                render: ({ operation, access, status }) => (
                  <>
                    {names[operation] ?? operation}{' '}
                    {access !== 'read' && (
                      <Badge {...(access === 'refused' && { variant: 'outline', color: 'red' })}>
                        {access === 'change' ? text.changed : [text.refused, status].filter(Boolean).join(', ')}
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
        )}
        {isCut && <Text c="dimmed">{text.cut(events.length)}</Text>}
      </Stack>
      <Stack gap="xs">
        <Title order={2}>{text.own}</Title>
        <Text c="dimmed">{text.ownText}</Text>
        {own.length === 0 ? (
          <Empty icon={<IconEyeOff size={32} />} title={text.none} />
        ) : (
          <ScrollTable
            caption={text.own}
            hidesCaption
            minWidth={640}
            rows={own}
            keyOf={({ id }) => id}
            columns={[
              { header: text.at, render: ({ at }) => format.shortInstant(at) },
              { header: text.user, render: ({ user }) => user },
              { header: text.what, render: ({ action }) => text.actions[action] },
              { header: text.about, render: ({ action, subject }) => aboutOf(action, subject) },
            ]}
          />
        )}
      </Stack>
    </Stack>
  );
}

/** What an action in the console was about. */
function aboutOf(action: string, subject: string | undefined): ReactNode {
  if (subject === undefined) return undefined;
  if (action === 'change-labels') {
    return <LabelChanges changes={JSON.parse(subject) as LabelChange[]} max={MAX_CHANGES} />;
  }
  return aboutPersons.has(action) ? <PersonLink personId={subject} /> : subject;
}

function PersonLink({ personId }: { readonly personId: string }): ReactNode {
  const text = useMessages(messages).audit;
  return (
    <Link className={styles['link']} to="/people/$personId" params={{ personId }}>
      {text.personId(personId)}
    </Link>
  );
}
