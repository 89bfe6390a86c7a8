import { Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { IconBeach, IconDownload, IconUserSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { bffAddress, useScreen } from '../shell/bff.ts';
import { GridOutline } from '../components/grid.tsx';
import { monthOf } from '../model/calendar.ts';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { MonthJump } from '../components/steps.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { noTeam } from '../shell/search.ts';
import { useSession } from '../shell/session.ts';
import { filterPeople } from './absence-days.ts';
import type { AbsencesScreen as Data } from './absences-routes.ts';
import { daysOf, MONTHS_A_QUARTER, useAbsencesSearch, type AbsencesSearch } from './absences-search.ts';
import { AbsencesTable } from './absences-table.tsx';
import { AbsencesTimeline } from './absences-timeline.tsx';
import { AbsencesToolbar } from './absences-toolbar.tsx';
import { messages } from './messages.ts';

export function AbsencesScreen(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { currentAt } = useSession().health;
  const [search, change] = useAbsencesSearch();
  const { from, to } = daysOf(search);
  const { name, manager, group, entity, place, status, only, day } = search;
  const filter = { from, to, name, manager, group, entity, place, status };
  const query = useScreen<Data>('absences', filter, { kinds: ['persons', 'absences'], keepsData: true });
  const { data, isPlaceholderData } = query;
  const shown = filterPeople(data?.people ?? [], { only, day });
  const nameOf = (start: string): string => {
    const [year = '', month] = start.split('-');
    return search.range === 'month'
      ? format.month(monthOf(start))
      : text.quarter(Math.ceil(Number(month) / MONTHS_A_QUARTER), year);
  };

  return (
    <Page
      title={text.title}
      description={data?.syncedAt && text.asOf(format.shortInstant(currentAt))}
      actions={
        data?.syncedAt !== undefined &&
        shown.length > 0 && (
          <Button
            renderRoot={({ children, ...props }) => (
              <a {...props} href={bffAddress('absences/csv', { ...filter, only, day, locale })} download>
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
          <ScreenState query={query} skeleton={<GridOutline />}>
            {() => undefined}
          </ScreenState>
        ) : (
          <div aria-busy={isPlaceholderData} style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
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
  const counted = filterPeople(data.people, { only: search.only });
  const people = filterPeople(data.people, { only: search.only, day });
  if (data.syncedAt === undefined) return <NothingRead />;

  const absent = counted.filter((person) => person.absences.length > 0).length;
  const clear = (
    <Button
      variant="default"
      size="xs"
      mt="xs"
      onClick={() => change({ ...noTeam, name: undefined, only: undefined, day: undefined })}
    >
      {text.clear}
    </Button>
  );
  const chooseDay = (chosen: string | undefined): void =>
    change(chosen === undefined ? { day: chosen } : { day: chosen, month: monthOf(chosen) });
  return (
    <Stack gap="sm">
      {data.nearest !== undefined && (
        <MonthJump from={monthOf(from)} to={data.nearest} onChange={(month) => change({ month, day: undefined })} />
      )}
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
