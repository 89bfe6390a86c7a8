import { Button, CloseButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconBeach, IconDownload, IconUserSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { useSession } from '../shell/session.ts';
import { filterPeople } from './absence-days.ts';
import classes from './absences.module.css';
import type { AbsencesScreen as Data } from './absences-routes.ts';
import { daysOf, monthOf, useAbsencesSearch, type AbsencesSearch } from './absences-search.ts';
import { AbsencesTable } from './absences-table.tsx';
import { AbsencesTimeline } from './absences-timeline.tsx';
import { AbsencesToolbar } from './absences-toolbar.tsx';
import { messages } from './messages.ts';

const SKELETON_ROWS = 12;
const MONTHS_A_QUARTER = 3;

export function AbsencesScreen(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { currentAt } = useSession().health;
  const [search, change] = useAbsencesSearch();
  const { from, to } = daysOf(search);
  const filter = {
    from,
    to,
    name: search.name || undefined,
    group: search.group || undefined,
    status: search.status || undefined,
  };
  const query = useScreen<Data>('absences', filter, { kinds: ['persons', 'absences'], keepsData: true });
  const { data, isPlaceholderData } = query;
  const shown = filterPeople(data?.people ?? [], search);
  const nameOf = (start: string): string =>
    search.range === 'month'
      ? format.month(start.slice(0, 'YYYY-MM'.length))
      : text.quarter(
          Math.ceil(Number(start.slice('YYYY-'.length, 'YYYY-MM'.length)) / MONTHS_A_QUARTER),
          start.slice(0, 4),
        );
  const csvQuery = Object.entries({ ...filter, only: search.onlyAbsent || undefined, day: search.day, locale });
  const csv = new URLSearchParams(csvQuery.flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));

  return (
    <Page
      title={text.title}
      description={data?.syncedAt && text.asOf(format.shortInstant(currentAt))}
      actions={
        data?.syncedAt !== undefined &&
        shown.length > 0 && (
          <Button
            renderRoot={({ children, ...props }) => (
              <a {...props} href={`/bff/absences/csv?${csv.toString()}`} download>
                {children}
              </a>
            )}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={15} aria-hidden />}
          >
            {text.csv(format.number(shown.length))}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <AbsencesToolbar {...{ search, change, data }} rangeName={nameOf(from)} />
        {data === undefined ? (
          <ScreenState query={query} skeleton={<Outline />}>
            {() => undefined}
          </ScreenState>
        ) : (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? classes['stale'] : undefined}>
            <Content {...{ data, search, change }} rangeName={nameOf(data.from)} />
          </div>
        )}
      </Stack>
    </Page>
  );
}

interface ContentProps {
  readonly data: Data;
  readonly search: AbsencesSearch;
  readonly change: (change: Partial<AbsencesSearch>) => void;
  readonly rangeName: string;
}

function Content({ data, search, change, rangeName }: ContentProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { from, to } = data;
  const day = search.day !== undefined && search.day >= from && search.day <= to ? search.day : undefined;
  const counted = filterPeople(data.people, { onlyAbsent: search.onlyAbsent, day: undefined });
  const people = day === undefined ? counted : filterPeople(data.people, { onlyAbsent: true, day });
  if (data.syncedAt === undefined) return <NothingRead />;

  const absent = counted.filter((person) => person.absences.length > 0).length;
  const clear = (
    <Button
      variant="default"
      size="xs"
      mt="xs"
      onClick={() => change({ name: '', group: '', status: '', onlyAbsent: false, day: undefined })}
    >
      {text.clear}
    </Button>
  );
  const chooseDay = (chosen: string | undefined): void =>
    change(chosen === undefined ? { day: chosen } : { day: chosen, month: monthOf(chosen) });
  return (
    <Stack gap="sm">
      <Group gap="xs" mih={26} aria-live="polite">
        {day === undefined ? (
          <>
            <Text c="dimmed">{text.people(counted.length, format.number(counted.length), format.number(absent))}</Text>
            {search.view === 'timeline' && (
              <Text c="dimmed" size="xs" ml={{ md: 'auto' }}>
                {text.legend[search.range]}
              </Text>
            )}
          </>
        ) : (
          <>
            <Text fw={600}>{text.away(format.number(people.length), format.weekday(day))}</Text>
            <CloseButton size="sm" aria-label={text.clearDay} onClick={() => change({ day: undefined })} />
          </>
        )}
      </Group>
      {people.length === 0 ? (
        <Empty
          icon={day === undefined ? <IconUserSearch size={28} /> : <IconBeach size={28} />}
          title={day === undefined ? text.noPeople : text.nobodyAway(format.weekday(day))}
        >
          {text.noPeopleHint}
          <br />
          {clear}
        </Empty>
      ) : search.view === 'table' ? (
        <AbsencesTable {...{ people, rangeName }} />
      ) : (
        <AbsencesTimeline {...{ people, counted, from, to, rangeName, day, chooseDay }} />
      )}
    </Stack>
  );
}

/** In place of a timeline that would show people as present of whom nothing was read. */
function NothingRead(): ReactNode {
  const text = useMessages(messages);
  const { state } = useSession().health;
  const isFirst = state === 'starting' || state === 'syncing';
  return (
    <Empty icon={<IconBeach size={28} />} title={isFirst ? text.firstRead : text.failed}>
      {isFirst ? text.firstReadHint : text.failedHint}
    </Empty>
  );
}

function Outline(): ReactNode {
  return (
    <Stack gap="sm">
      <Skeleton h={20} w={220} />
      <Stack gap={0} className="panel">
        <Skeleton h={52} radius={0} />
        {Array.from({ length: SKELETON_ROWS }, (_, row) => (
          <Group key={row} h={36} px="sm" gap="xl" wrap="nowrap">
            <Skeleton h={12} w={150} />
            <Skeleton h={18} w={`${10 + ((row * 7) % 5) * 6}%`} ml={`${(row * 13) % 40}%`} visibleFrom="sm" />
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
