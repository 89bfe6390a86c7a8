import { Alert, Anchor, Box, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconClockOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { MonthJump, Steps } from '../components/steps.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { noTeam, useSearchOf } from '../shell/search.ts';
import { useSession } from '../shell/session.ts';
import { addMonths, lastDayOf, nearestMonth } from '../model/calendar.ts';
import { DayPanel } from './day-panel.tsx';
import { DaysTable } from './days-table.tsx';
import { messages } from './messages.ts';
import { MonthCalendar } from './month-calendar.tsx';
import { PersonSelect } from './person-select.tsx';
import { TeamMonth } from './team-month.tsx';
import type { TimeAccount } from './time-account.ts';
import { TimeFigures } from './time-figures.tsx';
import type { TimeScreen as Data } from './time-routes.ts';
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
          <Steps
            previous={text.previousMonth}
            next={text.nextMonth}
            onStep={(direction) => goTo(addMonths(chosen, direction))}
          />
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
  const format = useFormat();
  const { currentAt } = useSession().health;
  const kinds = ['persons', 'timeBookings', 'absences'] as const;
  const query = useScreen<Data>('time', { person: search.person, month: search.month }, { kinds });
  const { data } = query;
  const month = search.month ?? data?.month;
  return (
    <Page
      title={text.time}
      description={data?.syncedAt && text.asOf(format.shortInstant(currentAt))}
      request={{
        operation: 'listTimeBookings',
        query: month ? { from: `${month}-01`, to: lastDayOf(month) } : {},
      }}
    >
      <Group gap="sm" align="flex-end">
        <PersonSelect person={data?.person} onPerson={(person) => show({ person, month: undefined, day: undefined })} />
        {choose(month)}
      </Group>
      <ScreenState query={query} skeleton={<Outline />}>
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
  const { tooOld, account, month } = data;
  const reason =
    tooOld && text.tooOldReason(tooOld.installed ?? text.unknownVersion, tooOld.required ?? text.unknownVersion);
  if (account === undefined || month === undefined || account.days.length === 0) {
    return <NoDays data={data} reason={reason} goTo={goTo} />;
  }
  return (
    <Stack gap="lg">
      {reason !== undefined && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />} title={text.tooOld}>
          {reason} {text.lastKnown}
        </Alert>
      )}
      <Account data={data} account={account} month={month} day={day} onDay={onDay} />
    </Stack>
  );
}

interface AccountProps extends Omit<ContentProps, 'goTo'> {
  readonly account: TimeAccount;
  readonly month: string;
}

function Account({ data: { person }, account: stated, month, day, onDay }: AccountProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const absences = Object.entries(stated.absences).map(([date, keys]) => {
    return [date, keys.map((key) => key && nameOf('bookingKey', key))] as const;
  });
  const account = { ...stated, absences: Object.fromEntries(absences) };
  const { days, sums } = account;
  const last = days.findLast(({ bookings }) => bookings.length > 0) ?? days.at(-1);
  const chosen = day?.startsWith(month) ? day : (last?.date ?? `${month}-01`);
  return (
    <>
      <Box className="panel" p="md">
        <Title order={2} mb="xs">
          {person && (
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId: person.id }} />}
            >
              {person.name}
            </Anchor>
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
    </>
  );
}

interface NoDaysProps extends Pick<ContentProps, 'data' | 'goTo'> {
  readonly reason: string | undefined;
}

/** Why there is nothing to show, and where there is something. */
function NoDays({ data: { syncedAt, person, months, month = '' }, reason, goTo }: NoDaysProps): ReactNode {
  const text = useMessages(messages);
  const nearest = nearestMonth(months, month);
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

function Outline(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton h={120} />
      <Skeleton h={440} />
      <Skeleton h={600} />
    </Stack>
  );
}
