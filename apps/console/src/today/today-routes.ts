import type { Collection, SyncRun } from '@hr/client/mirror';
import { LocalDate } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { gaps, type Gap } from '../model/gaps.ts';
import type { Console } from '../backend/console.ts';
import { parseInput, problemOf, type ProblemBody } from '../backend/problem.ts';
import { addDays } from '../model/calendar.ts';
import { gapFinder } from '../backend/find-gaps.ts';
import { latestChanges, type Change } from './changes.ts';

/** What one source knows, or why it does not answer. */
export type Part<T> = { readonly value: T } | { readonly problem: ProblemBody };

interface NamedPerson {
  readonly id: string;
  readonly name: string;
}

interface DatedPerson extends NamedPerson {
  readonly date: string;
}

/** Active persons who lack something, and the first of them. */
interface Missing {
  readonly gap: Gap;
  readonly count: number;
  readonly people: readonly NamedPerson[];
}

interface AwayPerson extends NamedPerson {
  /** The booking key. */
  readonly key: string | undefined;
  /** The last day, if the absence has one. */
  readonly until: string | undefined;
}

export interface TodayScreen {
  /** Undefined while absences were never read. */
  readonly away: { readonly count: number; readonly people: readonly AwayPerson[] } | undefined;
  /** Within the next 30 days, by the entry to and exit from the organisation. */
  readonly starting: readonly DatedPerson[];
  readonly leaving: readonly DatedPerson[];
  readonly payments: Part<{ readonly count: number; readonly oldest: string | undefined }>;
  /** Payments that the console sent, and of which it does not know whether the service accepted them. */
  readonly unknownPayments: { readonly count: number; readonly oldest: string | undefined };
  readonly changes: Part<readonly Change[]>;
  readonly missing: { readonly active: number; readonly gaps: readonly Missing[] };
  readonly syncs: readonly {
    readonly collection: Collection;
    readonly syncedAt: string | undefined;
    /** Why the last run failed. */
    readonly error: SyncRun['error'];
  }[];
}

const MAX_AWAY = 8;
const MAX_MISSING = 3;
const SOON_DAYS = 30;
const RECENT_DAYS = 7;
const MAX_RUNS = 100;

const Query = z.object({ date: LocalDate });
const { compare } = new Intl.Collator('de');

/** Adds what the screen Today shows. The browser says which day it is, so that both agree on it. */
export function addTodayRoutes(app: FastifyInstance, context: Console): void {
  app.get('/bff/today', async ({ query }): Promise<TodayScreen> => {
    const { date } = parseInput(Query, query);
    const [payments, changes] = await Promise.all([
      part(waitingPayments(context)),
      part(latestChanges(context, `${addDays(date, -RECENT_DAYS)}T00:00:00Z`)),
    ]);
    return { ...localData(context, date), payments, changes };
  });
}

/** A source that fails does not hide the others. */
async function part<T>(source: Promise<T>): Promise<Part<T>> {
  try {
    return { value: await source };
  } catch (error) {
    return { problem: problemOf(error).body };
  }
}

async function waitingPayments({ cloud }: Console): Promise<{ count: number; oldest: string | undefined }> {
  const state = 'submitted';
  const [counts, [oldest]] = await Promise.all([
    cloud.operator.countPayments({ state }),
    cloud.operator.payments({ state, limit: '1' }),
  ]);
  return { count: counts.reduce((sum, { payments }) => sum + payments, 0), oldest: oldest?.submittedAt };
}

function localData({ cloud }: Console, date: string): Omit<TodayScreen, 'payments' | 'changes'> {
  const { mirror, outbox } = cloud;
  const absences = new Map<string, Omit<AwayPerson, 'id' | 'name'>>();
  for (const { personId, key, endDate } of mirror.absences({ from: date, to: date })) {
    const known = absences.get(personId);
    const until = endDate ?? undefined;
    // Of several absences, the one that lasts longest says when the person is back.
    if (!known || (known.until !== undefined && (until === undefined || until > known.until)))
      absences.set(personId, { key: key ?? undefined, until });
  }

  const away: (AwayPerson & { readonly sortedBy: string })[] = [];
  const starting: DatedPerson[] = [];
  const leaving: DatedPerson[] = [];
  let active = 0;
  const gapsOf = gapFinder(mirror, date);
  const lacking = new Map(gaps.map((gap): [Gap, NamedPerson[]] => [gap, []]));
  const isSoon = (day: string | null | undefined): day is string =>
    !!day && day >= date && day <= addDays(date, SOON_DAYS);
  for (const person of mirror.persons()) {
    const shown = { id: person.id, name: personName(person) };
    const absence = absences.get(person.id);
    if (absence) away.push({ ...shown, ...absence, sortedBy: person.lastName ?? '' });
    if (isSoon(person.groupEntryDate)) starting.push({ ...shown, date: person.groupEntryDate });
    if (isSoon(person.groupExitDate)) leaving.push({ ...shown, date: person.groupExitDate });
    if (person.status === 'ACTIVE') active++;
    for (const gap of gapsOf(person)) lacking.get(gap)?.push(shown);
  }

  const unknown = [...outbox.entries({ state: 'unknown' })].filter(({ resentAs }) => resentAs === undefined);
  const runs = mirror.runs(MAX_RUNS);
  const syncs = mirror.status().map(({ collection, syncedAt }) => {
    const error = runs.find((run) => run.collection === collection)?.error;
    return { collection, syncedAt, error };
  });
  const { syncedAt } = syncs.find(({ collection }) => collection === 'absences') ?? {};
  const first = away
    .toSorted((one, other) => compare(one.sortedBy, other.sortedBy))
    .slice(0, MAX_AWAY)
    .map(({ id, name, key, until }) => ({ id, name, key, until }));
  return {
    away: syncedAt === undefined ? undefined : { count: away.length, people: first },
    starting: starting.toSorted(byDate),
    leaving: leaving.toSorted(byDate),
    unknownPayments: { count: unknown.length, oldest: unknown[0]?.sentAt },
    missing: { active, gaps: [...lacking].flatMap(([gap, people]) => (people.length > 0 ? firstOf(gap, people) : [])) },
    syncs,
  };
}

function firstOf(gap: Gap, people: readonly NamedPerson[]): Missing {
  return { gap, count: people.length, people: people.slice(0, MAX_MISSING) };
}

function byDate(one: DatedPerson, other: DatedPerson): number {
  return compare(one.date, other.date) || compare(one.name, other.name);
}
