import { Alert, Box, Group, SegmentedControl, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconClockOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { PersonLink } from '../components/link.tsx';
import { Empty, Page, ScreenState, useCurrentAt } from '../components/page.tsx';
import { MonthJump, Steps } from '../components/steps.tsx';
import { addMonths, lastDayOf, nearestMonth } from '../model/calendar.ts';
import { bff, useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { noTeam, useSearchOf } from '../shell/search.ts';
import { DayPanel, DaysTable } from './days.tsx';
import { messages } from './messages.ts';
import { MonthCalendar, TimeFigures } from './month-calendar.tsx';
import { TeamMonth } from './team-month.tsx';
import type { TimePerson, TimeScreen as Data } from './time-routes.ts';
import type { TimeSearch } from './time-search.ts';

/** A month of a person or of a team. */
export function TimeScreen(): ReactNode {
  const text = useMessages(messages);
  const [search, show] = useSearchOf<TimeSearch>();
  const goTo = (month: string): void => show({ month, day: undefined });
  const choose = (chosen: string | undefined): ReactNode => (
    <>
      <SegmentedControl
        size="xs"
        aria-label={text.shownFor}
        value={search.team ? 'team' : 'person'}
        data={(['person', 'team'] as const).map((value) => ({ value, label: text[value] }))}
        onChange={(value) => show({ ...noTeam, team: value === 'team' || undefined, month: chosen, day: undefined })}
      />
      {chosen !== undefined && (
        <>
          <Steps unit="month" onStep={(direction) => goTo(addMonths(chosen, direction))} />
          <DateInput
            kind="month"
            label={text.month}
            value={chosen}
            onChange={(value, isValid) => isValid && goTo(value)}
          />
        </>
      )}
    </>
  );
  return search.team ? (
    <TeamMonth search={search} show={show} choose={choose} />
  ) : (
    <PersonMonth search={search} show={show} goTo={goTo} choose={choose} />
  );
}

interface PersonMonthProps {
  readonly search: TimeSearch;
  readonly show: (change: TimeSearch) => void;
  readonly goTo: (month: string) => void;
  /** Chooses what is shown, and the month. */
  readonly choose: (month: string | undefined) => ReactNode;
}

function PersonMonth({ search, show, goTo, choose }: PersonMonthProps): ReactNode {
  const text = useMessages(messages);
  const currentAt = useCurrentAt();
  const kinds = ['persons', 'timeBookings', 'absences'] as const;
  const query = useScreen<Data>('time', { person: search.person, month: search.month }, { kinds });
  const { data } = query;
  const month = search.month ?? data?.month;
  return (
    <Page
      title={text.time}
      description={data?.syncedAt && currentAt}
      request={{
        operation: 'listTimeBookings',
        query: month ? { from: `${month}-01`, to: lastDayOf(month) } : {},
      }}
    >
      <Group gap="sm" align="flex-end">
        <PersonSelect person={data?.person} onPerson={(person) => show({ person, month: undefined, day: undefined })} />
        {choose(month)}
      </Group>
      <ScreenState
        query={query}
        skeleton={
          <Stack gap="lg">
            <Skeleton h={120} />
            <Skeleton h={440} />
            <Skeleton h={600} />
          </Stack>
        }
      >
        {(loaded) => <Content data={loaded} day={search.day} onDay={(day) => show({ day })} goTo={goTo} />}
      </ScreenState>
    </Page>
  );
}

interface ContentProps {
  readonly data: Data;
  readonly day: string | undefined;
  readonly onDay: (date: string) => void;
  readonly goTo: (month: string) => void;
}

function Content({ data, day, onDay, goTo }: ContentProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const { syncedAt, tooOld, person, months, month = '', account: stated } = data;
  const reason =
    tooOld && text.tooOldReason(tooOld.installed ?? text.unknownVersion, tooOld.required ?? text.unknownVersion);
  if (stated === undefined || stated.days.length === 0) {
    const nearest = nearestMonth(months, month);
    // Why there is nothing to show, and where there is something.
    const states: readonly (readonly [applies: boolean, title: string, why?: string | undefined])[] = [
      [reason !== undefined, text.tooOld, reason],
      [syncedAt === undefined, text.notSynced, text.notSyncedReason],
      [person === undefined, text.nobody, text.nobodyReason],
      [nearest === undefined, text.noDays, text.noDaysReason],
      [true, text.noMonth],
    ];
    const [, title = '', why] = states.find(([applies]) => applies) ?? [];
    return (
      <Empty icon={<IconClockOff size={32} />} title={title}>
        {why ?? (nearest && <MonthJump from={month} to={nearest} onChange={goTo} />)}
      </Empty>
    );
  }

  const absences = Object.entries(stated.absences).map(([date, keys]) => {
    return [date, keys.map((key) => key && nameOf('bookingKey', key))] as const;
  });
  const account = { ...stated, absences: Object.fromEntries(absences) };
  const { days, sums } = account;
  const last = days.findLast(({ bookings }) => bookings.length > 0) ?? days.at(-1);
  const chosen = day?.startsWith(month) ? day : (last?.date ?? `${month}-01`);
  return (
    <Stack gap="lg">
      {reason !== undefined && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />} title={text.tooOld}>
          {reason} {text.lastKnown}
        </Alert>
      )}
      <Box className="panel" p="md">
        <Title order={2} mb="xs">
          {person && (
            <PersonLink id={person.id} underline="always">
              {person.name}
            </PersonLink>
          )}
          {` · ${format.month(month)}`}
        </Title>
        <TimeFigures times={sums} label={text.sums} />
        <Text size="xs" c="dimmed" mt="xs">
          {text.hoursMinutes}
        </Text>
      </Box>
      <Group align="stretch" gap="lg">
        <MonthCalendar account={account} month={month} day={chosen} onDay={onDay} />
        <DayPanel
          date={chosen}
          day={days.find(({ date }) => date === chosen)}
          absences={account.absences[chosen] ?? []}
          onDay={onDay}
        />
      </Group>
      <Box className="panel">
        <Title order={2} p="md">
          {text.days}
        </Title>
        <DaysTable
          account={account}
          day={chosen}
          caption={text.tableCaption(person?.name ?? '', format.month(month))}
        />
      </Box>
    </Stack>
  );
}

interface PersonSelectProps {
  readonly person: TimePerson | undefined;
  readonly onPerson: (id: string) => void;
}

const TYPING_MS = 150;

/** Chooses a person by name or employee number. The backend searches, so that any number of persons works. */
function PersonSelect({ person, onPerson }: PersonSelectProps): ReactNode {
  const text = useMessages(messages);
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<TimePerson>();
  const chosen = person ?? picked;
  // The name of the chosen person is in the field, but nobody searched for it.
  const [search] = useDebouncedValue(chosen && typed === labelOf(chosen) ? '' : typed, TYPING_MS);
  const { data: found = [] } = useQuery({
    queryKey: ['time/persons', search],
    queryFn: async () => await bff.get<TimePerson[]>('time/persons', { search }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const others = found.filter(({ id }) => id !== chosen?.id);
  const isChosenFound = search === '' || others.length < found.length;
  // The field needs the chosen person among its options, also when the search does not find them.
  const options = chosen ? [chosen, ...others] : others;
  return (
    <Select
      label={text.person}
      placeholder={text.searchPerson}
      size="xs"
      w={280}
      maw="100%"
      searchable
      data={options.map((one) => ({ value: one.id, label: labelOf(one) }))}
      filter={({ options: all }) => all.filter((one) => isChosenFound || !('value' in one) || one.value !== chosen?.id)}
      value={chosen?.id ?? null}
      allowDeselect={false}
      nothingFoundMessage={text.noPerson}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={open}
      onDropdownClose={close}
      onChange={(id) => {
        const next = options.find((one) => one.id === id);
        if (next === undefined) return;
        setPicked(next);
        onPerson(next.id);
      }}
    />
  );
}

function labelOf({ name, employeeNumber }: TimePerson): string {
  return employeeNumber ? `${name} · ${employeeNumber}` : name;
}
