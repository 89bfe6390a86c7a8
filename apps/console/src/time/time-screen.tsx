import { ActionIcon, Alert, Anchor, Box, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight, IconClockOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { useSearchOf } from '../shell/search.ts';
import { useSession } from '../shell/session.ts';
import { addMonths, lastDayOf } from '../model/calendar.ts';
import { DayPanel } from './day-panel.tsx';
import { DaysTable } from './days-table.tsx';
import { messages } from './messages.ts';
import { MonthCalendar } from './month-calendar.tsx';
import { PersonSelect } from './person-select.tsx';
import type { TimeAccount } from './time-account.ts';
import { TimeFigures } from './time-figures.tsx';
import type { TimeScreen as Data } from './time-routes.ts';
import type { TimeSearch } from './time-search.ts';
import css from './time.module.css';

export function TimeScreen(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const [search, show] = useSearchOf<TimeSearch>();
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
        {month !== undefined && (
          <MonthPicker month={month} onMonth={(chosen) => show({ month: chosen, day: undefined })} />
        )}
      </Group>
      <ScreenState query={query} skeleton={<Outline />}>
        {(loaded) => <Content data={loaded} day={search.day} onDay={(day) => show({ day })} />}
      </ScreenState>
    </Page>
  );
}

interface MonthPickerProps {
  readonly month: string;
  readonly onMonth: (month: string) => void;
}

function MonthPicker({ month, onMonth }: MonthPickerProps): ReactNode {
  const text = useMessages(messages);
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <ActionIcon
        variant="default"
        size={30}
        aria-label={text.previousMonth}
        onClick={() => onMonth(addMonths(month, -1))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <TextInput
        type="month"
        size="xs"
        label={text.month}
        value={month}
        onChange={({ currentTarget: { value } }) => {
          if (/^[1-9]\d{3}-\d{2}$/.test(value)) onMonth(value);
        }}
      />
      <ActionIcon variant="default" size={30} aria-label={text.nextMonth} onClick={() => onMonth(addMonths(month, 1))}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

interface ContentProps {
  readonly data: Data;
  readonly day: string | undefined;
  readonly onDay: (date: string) => void;
}

function Content({ data, day, onDay }: ContentProps): ReactNode {
  const text = useMessages(messages);
  const { tooOld, account, month } = data;
  const reason =
    tooOld && text.tooOldReason(tooOld.installed ?? text.unknownVersion, tooOld.required ?? text.unknownVersion);
  if (account === undefined || month === undefined || account.days.length === 0) {
    return <NoDays data={data} reason={reason} />;
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

interface AccountProps extends ContentProps {
  readonly account: TimeAccount;
  readonly month: string;
}

function Account({ data: { person }, account, month, day, onDay }: AccountProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
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
      <div className={css['calendarAndDay']}>
        <MonthCalendar account={account} month={month} day={chosen} onDay={onDay} />
        <DayPanel
          date={chosen}
          day={days.find(({ date }) => date === chosen)}
          absences={account.absences[chosen] ?? []}
          onDay={onDay}
        />
      </div>
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

/** Why there is nothing to show. */
function NoDays({ data, reason }: { readonly data: Data; readonly reason: string | undefined }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { syncedAt, person, months } = data;
  const [first, last] = [months[0], months.at(-1)];
  const states: readonly (readonly [applies: boolean, title: string, why: string | undefined])[] = [
    [reason !== undefined, text.tooOld, reason],
    [syncedAt === undefined, text.notSynced, text.notSyncedReason],
    [person === undefined, text.nobody, text.nobodyReason],
    [first === undefined, text.noDays, text.noDaysReason],
    [true, text.noMonth, first && last && text.noMonthReason(format.month(first), format.month(last))],
  ];
  const [, title = '', why] = states.find(([applies]) => applies) ?? [];
  return (
    <Empty icon={<IconClockOff size={32} />} title={title}>
      {why}
    </Empty>
  );
}

function Outline(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton h={120} />
      <div className={css['calendarAndDay']}>
        <Skeleton h={440} />
        <Skeleton h={440} />
      </div>
      <Skeleton h={600} />
    </Stack>
  );
}
