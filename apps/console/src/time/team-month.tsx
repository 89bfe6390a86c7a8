import { Button, Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GridOutline, type GridColumn } from '../components/grid.tsx';
import { Empty, Page, ScreenState, useCurrentAt } from '../components/page.tsx';
import { PagedGrid } from '../components/paged-grid.tsx';
import { TeamFilters } from '../components/team-filters.tsx';
import { addDays, lastDayOf, monthOf, today } from '../model/calendar.ts';
import { usePages } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { noTeam } from '../shell/search.ts';
import { messages } from './messages.ts';
import { heatOf, shownTime, timeNames } from './month-calendar.tsx';
import type { TeamPage, TeamRow } from './time-routes.ts';
import type { TimeSearch } from './time-search.ts';
import css from './time.module.css';

interface TeamMonthProps {
  readonly search: TimeSearch;
  readonly show: (change: TimeSearch, replace?: boolean) => void;
  /** Chooses what is shown, and the month. */
  readonly choose: (month: string) => ReactNode;
}

/** A month of a team, a row a person. */
export function TeamMonth({ search, show, choose }: TeamMonthProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const currentAt = useCurrentAt();
  const { month = monthOf(today()), manager, group, entity, place, status } = search;
  const query = usePages<TeamPage>(
    'time/team',
    { month, manager, group, entity, place, status },
    { kinds: ['persons', 'timeBookings', 'absences'] },
  );
  const [first] = query.data?.pages ?? [];
  const heat = heatOf('difference', query.data?.pages.flatMap(({ rows }) => rows.flatMap(({ days }) => days)) ?? []);
  const columns: readonly GridColumn<TeamRow>[] = [
    {
      id: 'name',
      header: text.person,
      width: 'minmax(9rem, 1fr)',
      card: [1, 'start'],
      render: ({ id, name }) => (
        <Link to="/time" search={{ person: id, month }} tabIndex={-1}>
          {name}
        </Link>
      ),
      title: ({ name }) => name,
    },
    {
      id: 'days',
      header: text.teamDays,
      width: 'minmax(15rem, 2fr)',
      rank: 2,
      render: ({ days }) => <Days month={month} days={days} heat={heat} />,
    },
    ...timeNames.map((name): GridColumn<TeamRow> => ({
      id: name,
      header: text[name],
      width: '5.5rem',
      figures: 'end',
      ...(name === 'difference' ? { card: [1, 'end'] } : { rank: 1 }),
      render: ({ sums }) => shownTime(format, sums[name], name),
    })),
    {
      id: 'lacking',
      header: text.lacking,
      width: '7.5rem',
      figures: 'end',
      card: [3, 'start'],
      render: (row) => lackingOf(row).length || undefined,
      title: (row) => format.list(lackingOf(row).map((date) => format.weekday(date))),
    },
  ];
  return (
    <Page title={text.time} description={first?.syncedAt && currentAt}>
      <Group gap="sm" align="flex-end">
        {choose(month)}
        <TeamFilters choices={first?.choices} filter={search} change={show} />
        <Text c="dimmed" component="output" ml="auto">
          {first && text.teamCount(first.count, format.number(first.count))}
        </Text>
      </Group>
      <ScreenState query={query} skeleton={<GridOutline />}>
        {({ pages: [page] }) =>
          page?.count ? (
            <PagedGrid
              label={text.teamLabel(format.month(month))}
              help={text.teamHelp}
              query={query}
              rowsOf={({ rows }) => rows}
              count={page.count}
              columns={columns}
              keyOf={({ id }) => id}
              onOpen={({ id: person }) => show({ ...noTeam, team: undefined, person, month }, false)}
            />
          ) : (
            <Empty icon={<IconUsers size={32} />} title={text.nobodyInTeam}>
              {text.nobodyInTeamReason}
              <br />
              <Button variant="default" size="xs" mt="xs" onClick={() => show(noTeam)}>
                {text.clearTeam}
              </Button>
            </Empty>
          )
        }
      </ScreenState>
    </Page>
  );
}

/** The past days without bookings. */
function lackingOf({ days }: TeamRow): string[] {
  return days.filter(({ date, lacksBookings }) => lacksBookings && date < today()).map(({ date }) => date);
}

interface DaysProps {
  readonly month: string;
  readonly days: TeamRow['days'];
  readonly heat: ReturnType<typeof heatOf>;
}

/** The days of a month in a row, shaded by their difference. The columns beside it have the figures. */
function Days({ month, days, heat }: DaysProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const byDate = new Map(days.map((day) => [day.date, day]));
  const count = Number(lastDayOf(month).slice(-2));
  return (
    <div className={css['days']} aria-hidden>
      {Array.from({ length: count }, (_, index) => addDays(`${month}-01`, index)).map((date) => {
        const { difference, isAbsent = false, lacksBookings = false } = byDate.get(date) ?? {};
        const isLacking = lacksBookings && date < today();
        const what = isAbsent ? text.absence : isLacking ? text.lacking : shownTime(format, difference, 'difference');
        return (
          <span
            key={date}
            title={`${format.weekday(date)}: ${what || text.noData}`}
            className={isAbsent ? css['absent'] : undefined}
            data-lacking={isLacking || undefined}
            style={isAbsent ? undefined : { background: heat.color(difference) }}
          />
        );
      })}
    </div>
  );
}
