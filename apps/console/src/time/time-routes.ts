import { isHrError, type TimeBookingPerson } from '@hr/client';
import type { Mirror } from '@hr/client/mirror';
import { YearMonth } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { lastDayOf } from '../model/calendar.ts';
import { lacksBookings } from '../model/gaps.ts';
import { teamOf, type TeamChoices } from '../model/team.ts';
import type { Console } from '../backend/console.ts';
import type { HrCloud } from '../backend/hr-cloud.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { choicesOf, membersOf, teamQuery } from '../backend/teams.ts';
import { timeAccount, type TimeAccount, type Times } from './time-account.ts';

export interface TimeScreen {
  /** As of when the local copy is; undefined before its first sync. */
  readonly syncedAt?: string | undefined;
  /** The component version of the service, if it is too old for time bookings. */
  readonly tooOld?: { readonly installed: string | undefined; readonly required: string | undefined } | undefined;
  /** Undefined if nobody has bookings. */
  readonly person?: TimePerson | undefined;
  /** Months with days, in order. */
  readonly months: readonly string[];
  readonly month?: string | undefined;
  readonly account?: TimeAccount | undefined;
}

export interface TimePerson {
  readonly id: string;
  readonly name: string;
  readonly employeeNumber?: string | null | undefined;
}

/** A month of some persons of a team, in the order of their last names. */
export interface TeamPage {
  readonly syncedAt?: string | undefined;
  /** Of all persons. */
  /** Only on the first page. */
  readonly choices: TeamChoices | undefined;
  /** Number of persons of the whole team. */
  readonly count: number;
  readonly rows: readonly TeamRow[];
  readonly next: string | undefined;
}

export interface TeamRow extends TimePerson {
  readonly sums: Times;
  /** Days of the month that the service states, or on which the person is absent. */
  readonly days: readonly TeamDay[];
}

export interface TeamDay {
  readonly date: string;
  readonly difference?: number | undefined;
  readonly isAbsent: boolean;
  /** Whether there is a target, but neither a time nor an absence. */
  readonly lacksBookings: boolean;
}

const Query = z.object({ person: z.string().max(255).optional(), month: YearMonth.optional() });
const TeamQuery = z.object({ ...teamQuery, month: YearMonth, from: z.coerce.number().int().min(0).default(0) });
const PAGE = 50;
const Search = z.object({ search: z.string().max(100).default('') });
const MAX_PERSONS = 20;
const RECENT_RUNS = 50;
const MONTH_LENGTH = 7;

/** Adds what the screen Time shows. */
export function addTimeRoutes(app: FastifyInstance, { cloud }: Console): void {
  const { mirror } = cloud;
  app.get('/bff/time', async ({ query }): Promise<TimeScreen> => {
    const { person: id, month: asked } = parseInput(Query, query);
    const { syncedAt } = mirror.status().find(({ collection }) => collection === 'bookings') ?? {};
    const tooOld = await versionProblem(cloud, syncedAt !== undefined);
    const { personId, days } = id === undefined ? firstWithBookings(mirror) : bookingsOf(mirror, id);
    if (personId === '') return { syncedAt, tooOld, months: [] };
    const months = [...new Set(days.map(({ date }) => date.slice(0, MONTH_LENGTH)))];
    const withBookings = days.findLast(({ bookings }) => bookings?.length)?.date.slice(0, MONTH_LENGTH);
    const month = asked ?? withBookings ?? months.at(-1);
    const shown = days.filter(({ date }) => month !== undefined && date.startsWith(month));
    return {
      syncedAt,
      tooOld,
      person: personOf(mirror, personId),
      months,
      month,
      account:
        month === undefined
          ? undefined
          : timeAccount(month, shown, mirror.absences({ personId, from: `${month}-01`, to: lastDayOf(month) })),
    };
  });

  app.get('/bff/time/team', ({ query }): TeamPage => {
    const { month, from, ...filter } = parseInput(TeamQuery, query);
    const team = teamOf(membersOf(mirror), filter);
    const next = from + PAGE;
    return {
      syncedAt: mirror.status().find(({ collection }) => collection === 'bookings')?.syncedAt,
      choices: from === 0 ? choicesOf(mirror) : undefined,
      count: team.length,
      rows: team.slice(from, next).map(({ id, name, employeeNumber }) => ({
        id,
        name,
        employeeNumber,
        ...monthOf(mirror, id, month),
      })),
      next: next < team.length ? String(next) : undefined,
    };
  });

  app.get('/bff/time/persons', ({ query }): TimePerson[] => {
    const { search } = parseInput(Search, query);
    const found = mirror.persons({ limit: MAX_PERSONS, ...(search.trim() !== '' && { name: search }) });
    return [...found].map((person) => ({
      id: person.id,
      name: personName(person),
      employeeNumber: person.employeeNumber,
    }));
  });
}

/**
 * Asks the service why the last sync failed. The local copy keeps no more of it than a code.
 *
 * @throws {HrError} if there is no copy to show instead.
 */
async function versionProblem({ mirror, hr }: HrCloud, hasCopy: boolean): Promise<TimeScreen['tooOld']> {
  const last = mirror.runs(RECENT_RUNS).find(({ collection }) => collection === 'bookings');
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

function monthOf(mirror: Mirror, personId: string, month: string): Pick<TeamRow, 'sums' | 'days'> {
  const range = { personId, from: `${month}-01`, to: lastDayOf(month) };
  const [{ days: stated } = { days: [] }] = mirror.bookings(range);
  const { sums, days, absences } = timeAccount(month, stated, mirror.absences(range));
  const differences = new Map(days.map(({ date, difference }) => [date, difference]));
  const lacking = new Set(stated.filter(lacksBookings).map(({ date }) => date));
  const dates = [...new Set([...differences.keys(), ...Object.keys(absences)])].toSorted();
  return {
    sums,
    days: dates.map((date) => {
      const isAbsent = absences[date] !== undefined;
      return { date, difference: differences.get(date), isAbsent, lacksBookings: lacking.has(date) && !isAbsent };
    }),
  };
}

function firstWithBookings(mirror: Mirror): TimeBookingPerson {
  let first: TimeBookingPerson | undefined;
  for (const account of mirror.bookings()) {
    first ??= account;
    if (account.days.some(({ bookings }) => bookings?.length)) return account;
  }
  return first ?? { personId: '', days: [] };
}

function bookingsOf(mirror: Mirror, personId: string): TimeBookingPerson {
  const [account] = mirror.bookings({ personId });
  return account ?? { personId, days: [] };
}

function personOf(mirror: Mirror, id: string): TimePerson {
  const found = mirror.person(id);
  if (!found) throw new Problem('not-found', 'The local copy has no person with this id.');
  const { person } = found;
  return { id, name: personName(person), employeeNumber: person.employeeNumber };
}
