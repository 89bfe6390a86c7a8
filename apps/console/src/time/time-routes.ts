import { isHrError, type Absence, type HrClient, type Person, type TimeBookingDay } from '@hr/client';
import { toMinutes, YearMonth } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { includesDay, lastDayOf, monthOf, weeksOf } from '../model/calendar.ts';
import { lacksBookings } from '../model/gaps.ts';
import { teamOf } from '../model/team.ts';
import type { Console } from '../backend/console.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { choicesOf, membersOf, teamQuery } from '../backend/teams.ts';
import type { View } from '../backend/view.ts';

/** A booking by the wall clock. The service states no time zone, and what a key means only the company knows. */
export interface Booking {
  /** `HH:MM`, with seconds if there are any. */
  readonly time: string;
  /** Minutes since midnight. */
  readonly minute: number;
  readonly key: string;
  /** The date, if it is not that of the day. */
  readonly date?: string | undefined;
}

/** Times in whole minutes. The service may state none. */
export interface Times {
  readonly target?: number | undefined;
  readonly booked?: number | undefined;
  readonly chargeable?: number | undefined;
  /** What counts, without the target: the chargeable time, as it includes absences, or else the booked time. */
  readonly difference?: number | undefined;
}

export interface TimeDay extends Times {
  readonly date: string;
  readonly bookings: readonly Booking[];
  /** Times that are no hours and minutes, as the service states them. */
  readonly invalid: readonly number[];
  /** Whether there is a target, but neither times nor bookings. */
  readonly isLacking: boolean;
}

/** The time account of a person in a month. */
export type TimeAccount = ReturnType<typeof timeAccount>;

export type TimeScreen = Awaited<ReturnType<typeof timeScreen>>;

export interface TimePerson {
  readonly id: string;
  readonly name: string;
  readonly employeeNumber?: string | null | undefined;
}

/** A month of some persons of a team, in the order of their last names. */
export type TeamPage = ReturnType<typeof teamPage>;
export type TeamRow = TeamPage['rows'][number];

const MINUTES_AN_HOUR = 60;
const Query = z.object({ person: z.string().max(255).optional(), month: YearMonth.optional() });
const TeamQuery = z.object({ ...teamQuery, month: YearMonth, from: z.coerce.number().int().min(0).default(0) });
const PAGE = 50;
const Search = z.object({ search: z.string().max(100).default('') });
const MAX_PERSONS = 20;
const RECENT_RUNS = 50;

/** Adds what the screen Time shows. */
export function addTimeRoutes(app: FastifyInstance, { cloud }: Console): void {
  app.get('/bff/time', ({ view, query }) => timeScreen(view, cloud, parseInput(Query, query)));

  app.get('/bff/time/team', ({ view, query }) => teamPage(view, parseInput(TeamQuery, query)));

  app.get('/bff/time/persons', ({ view, query }): TimePerson[] => {
    const { search } = parseInput(Search, query);
    const found = view.persons({ limit: MAX_PERSONS, ...(search.trim() !== '' && { name: search }) });
    return Array.from(found, personOf);
  });
}

async function timeScreen(
  view: View,
  { hr }: Console['cloud'],
  { person: asked, month: askedMonth }: z.infer<typeof Query>,
) {
  const syncedAt = syncedAtOf(view);
  const personId = asked ?? firstWithBookings(view);
  const person = personId === undefined ? undefined : view.person(personId)?.person;
  if (personId !== undefined && !person) throw new Problem('not-found', 'The local copy has no person with this id.');
  const [{ days } = { days: [] }] = personId === undefined ? [] : view.bookings({ personId });
  const months = [...new Set(days.map(({ date }) => monthOf(date)))];
  const withBookings = days.findLast(({ bookings }) => bookings?.length);
  const month = askedMonth ?? (withBookings && monthOf(withBookings.date)) ?? months.at(-1);
  return {
    /** As of when the local copy is; undefined before its first sync. */
    syncedAt,
    /** The component version of the service, if it is too old for time bookings. */
    tooOld: await versionProblem(view, hr, syncedAt !== undefined),
    /** Undefined if nobody has bookings. */
    person: person && personOf(person),
    /** Months with days, in order. */
    months,
    month,
    account: personId !== undefined && month !== undefined ? accountOf(view, personId, month) : undefined,
  };
}

function teamPage(view: View, { month, from, ...filter }: z.infer<typeof TeamQuery>) {
  const team = teamOf(membersOf(view), filter);
  const next = from + PAGE;
  return {
    syncedAt: syncedAtOf(view),
    /** Of all persons, on the first page. */
    choices: from === 0 ? choicesOf(view) : undefined,
    /** Number of persons of the whole team. */
    count: team.length,
    rows: team.slice(from, next).map((member) => teamRow(view, member, month)),
    next: next < team.length ? String(next) : undefined,
  };
}

function teamRow(view: View, { id, name, employeeNumber }: TimePerson, month: string) {
  const { sums, days, absences } = accountOf(view, id, month);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const dates = [...new Set([...byDate.keys(), ...Object.keys(absences)])].toSorted();
  return {
    id,
    name,
    employeeNumber,
    sums,
    /** Days of the month that the service states, or on which the person is absent. */
    days: dates.map((date) => {
      const { difference, isLacking = false } = byDate.get(date) ?? {};
      const isAbsent = absences[date] !== undefined;
      return { date, difference, isAbsent, lacksBookings: isLacking && !isAbsent };
    }),
  };
}

function accountOf(view: View, personId: string, month: string): TimeAccount {
  const range = { personId, from: `${month}-01`, to: lastDayOf(month) };
  const [{ days } = { days: [] }] = view.bookings(range);
  return timeAccount(month, days, [...view.absences(range)]);
}

/**
 * Asks the service why the last sync failed. The local copy keeps no more of it than a code.
 *
 * @throws {HrError} if there is no copy to show instead.
 */
async function versionProblem(view: View, hr: HrClient, hasCopy: boolean) {
  const last = view.runs(RECENT_RUNS).find(({ collection }) => collection === 'bookings');
  if (last?.error === undefined) return undefined;
  try {
    await hr.time.bookings({ from: '9999-12-31' });
  } catch (error) {
    if (isHrError(error) && error.problem?.kind === 'time-component-version') {
      const { installed, required } = error.problem;
      return { installed, required };
    }
    if (!hasCopy) throw error;
  }
  return undefined;
}

/** Without bookings of anybody, the first person with days. */
function firstWithBookings(view: View): string | undefined {
  let first: string | undefined;
  for (const { personId, days } of view.bookings()) {
    first ??= personId;
    if (days.some(({ bookings }) => bookings?.length)) return personId;
  }
  return first;
}

function syncedAtOf(view: View): string | undefined {
  return view.status().find(({ collection }) => collection === 'bookings')?.syncedAt;
}

function personOf(person: Person): TimePerson {
  return { id: person.id, name: personName(person), employeeNumber: person.employeeNumber };
}

/**
 * Converts the days of a month and adds them up, in minutes.
 *
 * @param absences - Of the same person, in any month.
 */
export function timeAccount(month: string, stated: readonly TimeBookingDay[], absences: readonly Absence[] = []) {
  const days = stated.map(timeDay);
  const weeks = weeksOf(month).map((week) => ({
    ...week,
    sums: sumsOf(days.filter(({ date }) => week.dates.includes(date))),
  }));
  const dates = weeks.flatMap((week) => week.dates.filter((date) => date !== null));
  const keys = dates.map((date) => {
    const there = absences.filter((absence) => includesDay(absence, date));
    return [date, there.map(({ key }) => key ?? undefined)] as const;
  });
  return {
    /** Days that the service states. */
    days,
    weeks,
    sums: sumsOf(days),
    /** The keys of absences by date; an absence may have none. */
    absences: Object.fromEntries(keys.filter(([, there]) => there.length > 0)),
  };
}

export function timeDay(stated: TimeBookingDay): TimeDay {
  const { date, targetTime, bookedTime, chargeableTime, bookings } = stated;
  const invalid: number[] = [];
  const minutes = (value: number | null | undefined): number | undefined => {
    if (value === null || value === undefined) return undefined;
    try {
      return toMinutes(value);
    } catch {
      invalid.push(value);
      return undefined;
    }
  };
  const [target, booked, chargeable] = [minutes(targetTime), minutes(bookedTime), minutes(chargeableTime)];
  return {
    date,
    ...withDifference({ target, booked, chargeable }, chargeable ?? booked),
    bookings: (bookings ?? []).map(({ time, key }) => bookingOf(date, time, key)),
    invalid,
    isLacking: lacksBookings(stated),
  };
}

function bookingOf(day: string, dateTime: string, key: string): Booking {
  const [date = '', clock = ''] = dateTime.split('T');
  const [hours = '', minutes = '', seconds = ''] = clock.split(':');
  return {
    time: [hours, minutes, ...(Number(seconds) === 0 ? [] : [seconds])].join(':'),
    minute: Number(hours) * MINUTES_AN_HOUR + Number(minutes),
    key,
    ...(date !== day && { date }),
  };
}

/** Adds up what is stated. A sum of nothing is not zero. */
function sumsOf(days: readonly Times[]): Times {
  const sum = (timeOf: (day: Times) => number | undefined): number | undefined => {
    const values = days.flatMap((day) => timeOf(day) ?? []);
    return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0);
  };
  return withDifference(
    { target: sum((day) => day.target), booked: sum((day) => day.booked), chargeable: sum((day) => day.chargeable) },
    sum((day) => day.chargeable ?? day.booked),
  );
}

/** The difference of sums goes by the sums, so that they agree, also if a day has a target and no other time. */
function withDifference(times: Omit<Times, 'difference'>, counted: number | undefined): Times {
  const { target } = times;
  return { ...times, difference: counted === undefined || target === undefined ? undefined : counted - target };
}
