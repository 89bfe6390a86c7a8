import { Button, CloseButton, Group, SegmentedControl, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconBeach, IconSearch, IconUserSearch } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { Grid, GridOutline } from '../components/grid.tsx';
import { DownloadButton } from '../components/link.tsx';
import { Empty, Page, ScreenState, useCurrentAt } from '../components/page.tsx';
import { MonthJump, Steps } from '../components/steps.tsx';
import { TeamFilters } from '../components/team-filters.tsx';
import { addMonths, monthOf, today } from '../model/calendar.ts';
import { useScreen } from '../shell/bff.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { noTeam, useSearchOf, useTyped } from '../shell/search.ts';
import { useSession } from '../shell/session.ts';
import { absenceRows, filterPeople, type AbsentPerson } from './absence-days.ts';
import type { AbsencesScreen as Data } from './absences-routes.ts';
import { daysOf, MONTHS_A_QUARTER, type AbsencesSearch } from './absences-search.ts';
import { AbsencesTimeline } from './absences-timeline.tsx';
import { messages } from './messages.ts';

export function AbsencesScreen(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const currentAt = useCurrentAt();
  const [search, change] = useSearchOf<AbsencesSearch>();
  const { range, name, only, day, view } = search;
  const month = monthOf(day ?? search.month ?? today());
  const { from, to } = daysOf(month, range);
  const { manager, group, entity, place, status } = search;
  const filter = { from, to, name, manager, group, entity, place, status };
  const query = useScreen<Data>('absences', filter, { kinds: ['persons', 'absences'], keepsData: true });
  const { data, isPlaceholderData } = query;
  const shown = filterPeople(data?.people ?? [], { only, day });
  const [typed, setTyped] = useTyped(name ?? '', (written) => change({ name: written || undefined }));
  const rangeName = range ?? 'month';
  const nameOf = (start: string): string => {
    const [year = '', number] = start.split('-');
    return range === 'quarter'
      ? text.quarter(Math.ceil(Number(number) / MONTHS_A_QUARTER), year)
      : format.month(monthOf(start));
  };
  const showMonth = (next: string): void => change({ month: next, day: undefined });

  return (
    <Page
      title={text.title}
      description={data?.syncedAt && currentAt}
      actions={
        data?.syncedAt !== undefined &&
        shown.length > 0 && (
          <DownloadButton path="absences/csv" query={{ ...filter, only, day, locale }}>
            {text.csv(format.number(shown.length))}
          </DownloadButton>
        )
      }
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Steps
              unit={rangeName}
              onStep={(direction) => showMonth(addMonths(month, direction * (range ? MONTHS_A_QUARTER : 1)))}
            />
            <Button variant="default" size="xs" onClick={() => showMonth(monthOf(today()))}>
              {text.today}
            </Button>
            <Title order={2} miw={130} aria-live="polite">
              {nameOf(from)}
            </Title>
          </Group>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={text.range}
              value={rangeName}
              data={(['month', 'quarter'] as const).map((value) => ({ value, label: text.ranges[value] }))}
              onChange={(value) => change({ range: value === 'quarter' ? value : undefined })}
            />
            <SegmentedControl
              size="xs"
              aria-label={text.view}
              value={view ?? 'timeline'}
              data={(['timeline', 'table'] as const).map((value) => ({ value, label: text.views[value] }))}
              onChange={(value) => change({ view: value === 'table' ? value : undefined })}
            />
          </Group>
        </Group>
        <search className="filters">
          <TextInput
            size="xs"
            type="search"
            label={text.person}
            placeholder={text.name}
            leftSection={<IconSearch size={14} aria-hidden />}
            maxLength={100}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <TeamFilters choices={data?.choices} filter={search} change={change} />
          <DateInput
            kind="month"
            label={text.month}
            value={month}
            onChange={(value, isValid) => isValid && showMonth(value)}
          />
          <DateInput
            kind="date"
            label={text.day}
            value={day ?? ''}
            rightSection={
              day !== undefined && <CloseButton size="sm" aria-label={text.clearDay} onClick={() => showMonth(month)} />
            }
            onChange={(value, isValid) => {
              if (isValid) change({ day: value, month: monthOf(value) });
              else if (value === '') showMonth(month);
            }}
          />
          <Switch
            size="sm"
            styles={{ body: { alignItems: 'center', height: 30 } }}
            label={text.onlyAbsent}
            checked={only === true}
            onChange={({ currentTarget }) => change({ only: currentTarget.checked || undefined })}
          />
        </search>
        {data === undefined ? (
          <ScreenState query={query} skeleton={<GridOutline />}>
            {() => undefined}
          </ScreenState>
        ) : (
          <div aria-busy={isPlaceholderData} style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
            <Content {...{ data, search, change, showMonth }} rangeName={nameOf(data.from)} />
          </div>
        )}
      </Stack>
    </Page>
  );
}

interface ContentProps {
  readonly data: Data;
  readonly search: AbsencesSearch;
  readonly change: (change: AbsencesSearch) => void;
  readonly showMonth: (month: string) => void;
  readonly rangeName: string;
}

function Content({ data, search, change, showMonth, rangeName }: ContentProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { from, to } = data;
  const { state } = useSession().health;
  if (data.syncedAt === undefined) {
    // A timeline would show people as present of whom nothing was read.
    const isFirst = state === 'starting' || state === 'syncing';
    return (
      <Empty icon={<IconBeach size={28} />} title={isFirst ? text.firstRead : text.failed}>
        {isFirst ? text.firstReadHint : text.failedHint}
      </Empty>
    );
  }

  const day = search.day !== undefined && search.day >= from && search.day <= to ? search.day : undefined;
  const counted = filterPeople(data.people, { only: search.only });
  const people = filterPeople(data.people, { only: search.only, day });
  const absent = counted.filter((person) => person.absences.length > 0).length;
  const chooseDay = (chosen: string | undefined): void =>
    chosen === undefined ? showMonth(monthOf(day ?? from)) : change({ day: chosen, month: monthOf(chosen) });
  return (
    <Stack gap="sm">
      {data.nearest !== undefined && <MonthJump from={monthOf(from)} to={data.nearest} onChange={showMonth} />}
      <Group gap="xs" mih={26} aria-live="polite">
        {day === undefined ? (
          <>
            <Text c="dimmed">{text.people(counted.length, format.number(counted.length), format.number(absent))}</Text>
            {search.view === undefined && (
              <Text c="dimmed" size="xs" ml={{ md: 'auto' }}>
                {text.legend[search.range ?? 'month']}
              </Text>
            )}
          </>
        ) : (
          <>
            <Text fw={600}>{text.away(format.number(people.length), format.weekday(day))}</Text>
            <CloseButton size="sm" aria-label={text.clearDay} onClick={() => chooseDay(undefined)} />
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
          <Button
            variant="default"
            size="xs"
            mt="xs"
            onClick={() => change({ ...noTeam, name: undefined, only: undefined, day: undefined })}
          >
            {text.clear}
          </Button>
        </Empty>
      ) : search.view === 'table' ? (
        <AbsencesTable {...{ people, rangeName }} />
      ) : (
        <AbsencesTimeline {...{ people, counted, from, to, rangeName, day, chooseDay }} />
      )}
    </Stack>
  );
}

interface AbsencesTableProps {
  readonly people: readonly AbsentPerson[];
  readonly rangeName: string;
}

/** The same absences as the timeline. People without absences have a row, too. */
function AbsencesTable({ people, rangeName }: AbsencesTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const navigate = useNavigate();
  const rows = useMemo(() => absenceRows(people), [people]);
  return (
    <Grid
      label={text.tableLabel(rangeName)}
      rows={rows}
      keyOf={({ person, absence }) => `${person.id} ${absence?.id ?? ''}`}
      onOpen={({ person }) => void navigate({ to: '/people/$personId', params: { personId: person.id } })}
      columns={[
        {
          id: 'person',
          header: text.person,
          width: 'minmax(11rem, 2fr)',
          card: [1, 'start'],
          render: ({ person: { id, name } }) => (
            <Link to="/people/$personId" params={{ personId: id }} tabIndex={-1} title={name}>
              {name}
            </Link>
          ),
        },
        {
          id: 'from',
          header: text.from,
          width: 'minmax(6rem, 1fr)',
          figures: 'start',
          card: [2, 'start'],
          render: ({ absence }) => (absence ? format.date(absence.startDate) : text.none),
        },
        {
          id: 'to',
          header: text.to,
          width: 'minmax(6rem, 1fr)',
          figures: 'start',
          card: [2, 'end'],
          render: ({ absence }) =>
            absence && (absence.endDate === undefined ? text.open : format.date(absence.endDate)),
        },
        {
          id: 'key',
          header: text.key,
          width: 'minmax(7rem, 1fr)',
          card: [3, 'start'],
          render: ({ absence }) => absence && (absence.key ? <LabelText kind="bookingKey" id={absence.key} /> : DASH),
        },
        {
          id: 'amount',
          header: text.amount,
          width: '5rem',
          figures: 'end',
          card: [3, 'end'],
          render: ({ absence }) => absence && format.number(absence.amount),
        },
      ]}
    />
  );
}
