import type { Absence, Person } from '@hr/client';
import { LocalDate } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { authorsOf, personOf, replacedValues, seenEvents, type Author } from '../backend/change-authors.ts';
import type { Console } from '../backend/console.ts';
import { gapFinder } from '../backend/find-gaps.ts';
import type { AuditEvent } from '../backend/operator-client.ts';
import { parseInput, problemOf, type ProblemBody } from '../backend/problem.ts';
import { contractRights } from '../backend/contract-persons.ts';
import { countSeen, listSeen } from '../backend/seen-payments.ts';
import type { View } from '../backend/view.ts';
import { addDays } from '../model/calendar.ts';
import { gaps } from '../model/gaps.ts';

/** What one source knows, or why it does not answer. */
export type Part<T> = { readonly value: T } | { readonly problem: ProblemBody };

export type TodayScreen = Awaited<ReturnType<typeof todayScreen>>;

const MAX_AWAY = 8;
const MAX_MISSING = 3;
const SOON_DAYS = 30;
const RECENT_DAYS = 7;
const MAX_RUNS = 100;
const MAX_CHANGES = 10;
const MAX_CHANGED_PEOPLE = 3;
/** The most that the service returns. */
const MAX_EVENTS = 1000;
/** They show that a client works, and change no data. */
const tokenOperations = new Set(['requestToken', 'revokeToken', 'introspectToken']);

const Query = z.object({ date: LocalDate });
const { compare } = new Intl.Collator('de');

/** Adds what the screen Today shows. The browser says which day it is, so that both agree on it. */
export function addTodayRoutes(app: FastifyInstance, context: Console): void {
  app.get('/bff/today', ({ view, query }) => todayScreen(context, view, parseInput(Query, query).date));
}

async function todayScreen(context: Console, view: View, date: string) {
  const { outbox } = context.cloud;
  const seesPay = view.mayForSome('pay');
  const may = contractRights(view);
  const [payments, changes] = await Promise.all([
    seesPay ? part(waitingPayments(context, view)) : undefined,
    part(latestChanges(context, view, `${addDays(date, -RECENT_DAYS)}T00:00:00Z`)),
  ]);
  const unknown = [...outbox.entries({ state: 'unknown' })].filter(
    ({ resentAs, contractId }) => resentAs === undefined && may(contractId, 'pay'),
  );
  const runs = view.runs(MAX_RUNS);
  const syncs = view.status().map(({ collection, syncedAt }) => {
    // Why the last run failed.
    const error = runs.find((run) => run.collection === collection)?.error;
    return { collection, syncedAt, error };
  });
  const persons = [...view.persons()];
  const { syncedAt } = syncs.find(({ collection }) => collection === 'absences') ?? {};
  return {
    /** Undefined for those who see no pay. */
    payments,
    changes,
    /** Undefined while absences were never read. */
    away: syncedAt === undefined ? undefined : awayOn(view, persons, date),
    /** Within the next 30 days, by the entry to and exit from the organisation. */
    starting: soon(persons, 'groupEntryDate', date),
    leaving: soon(persons, 'groupExitDate', date),
    /** Payments that the console sent, and of which it does not know whether the service accepted them. */
    unknownPayments: { count: unknown.length, oldest: unknown[0]?.sentAt },
    missing: missing(view, persons, date),
    syncs,
  };
}

/** A source that fails does not hide the others. */
async function part<T>(source: Promise<T>): Promise<Part<T>> {
  try {
    return { value: await source };
  } catch (error) {
    return { problem: problemOf(error).body };
  }
}

async function waitingPayments({ cloud }: Console, view: View): Promise<{ count: number; oldest: string | undefined }> {
  const state = 'submitted';
  const [counts, [oldest]] = await Promise.all([
    countSeen(cloud.operator, view, { state }),
    listSeen(cloud.operator, view, { state, limit: '1' }),
  ]);
  return { count: counts.reduce((sum, { payments }) => sum + payments, 0), oldest: oldest?.submittedAt };
}

function named(person: Person): { readonly id: string; readonly name: string } {
  return { id: person.id, name: personName(person) };
}

function awayOn(view: View, persons: readonly Person[], date: string) {
  const absences = new Map<string, Absence>();
  for (const absence of view.absences({ from: date, to: date })) {
    const known = absences.get(absence.personId);
    // Of several absences, the one that lasts longest says when the person is back.
    if (!known || (known.endDate && (!absence.endDate || absence.endDate > known.endDate)))
      absences.set(absence.personId, absence);
  }
  const away = persons.filter(({ id }) => absences.has(id));
  const first = away.toSorted((one, other) => compare(one.lastName ?? '', other.lastName ?? '')).slice(0, MAX_AWAY);
  const people = first.map((person) => {
    const { key, endDate } = absences.get(person.id) ?? {};
    return { ...named(person), key: key ?? undefined, until: endDate ?? undefined };
  });
  return { count: away.length, people };
}

function soon(persons: readonly Person[], field: 'groupEntryDate' | 'groupExitDate', today: string) {
  return persons
    .flatMap((person) => {
      const date = person[field];
      return date && date >= today && date <= addDays(today, SOON_DAYS) ? { ...named(person), date } : [];
    })
    .toSorted((one, other) => compare(one.date, other.date) || compare(one.name, other.name));
}

/** Active persons who lack something, and the first of them. */
function missing(view: View, persons: readonly Person[], date: string) {
  const gapsOf = gapFinder(view, date);
  const found = gaps.map((gap) => {
    const people = persons.filter((person) => gapsOf(person).includes(gap));
    return { gap, count: people.length, people: people.slice(0, MAX_MISSING).map(named) };
  });
  const active = persons.filter(({ status }) => status === 'ACTIVE').length;
  return { active, gaps: found.filter(({ count }) => count > 0) };
}

/**
 * Returns the latest changes, each by somebody, alone or one after the other.
 *
 * @param since - An ISO 8601 instant.
 */
async function latestChanges({ cloud, config, records }: Console, view: View, since: string) {
  const read = await cloud.operator.auditEvents({ access: 'change', since, last: String(MAX_EVENTS) });
  const events = read.filter(seenEvents(view));
  const authorOf = authorsOf(records, config);
  const groups: { last: AuditEvent; author: Author; events: AuditEvent[] }[] = [];
  for (const event of events.toReversed()) {
    if (tokenOperations.has(event.operation)) continue;
    const author = authorOf(event);
    const group = groups.at(-1);
    const isSame = group?.author.name === author.name && group?.author.way === author.way;
    if (group && isSame && group.last.operation === event.operation) group.events.push(event);
    else if (groups.length === MAX_CHANGES) break;
    else groups.push({ last: event, author, events: [event] });
  }
  const knownSince = Date.parse((read.length === MAX_EVENTS && read[0]?.at) || since);
  return groups.map(({ last, events: group }) => {
    const fields = [...new Set(group.flatMap((event) => event.fields ?? []))];
    const persons = [...new Set(group.flatMap((event) => personOf(view, event) ?? []))];
    const [id = ''] = persons;
    const ofPerson = events.filter(({ personId }) => personId === id);
    // Only of one person there is room for values.
    const values =
      persons.length === 1 ? replacedValues(view.changes(id), ofPerson, knownSince) : new Map<string, never>();
    return {
      at: last.at,
      author: authorOf({ ...last, fields }),
      operation: last.operation,
      changes: group.length,
      persons: persons.length,
      // Those who are not known any more have no name.
      people: persons.slice(0, MAX_CHANGED_PEOPLE).map((personId) => {
        const person = view.person(personId)?.person;
        return { id: personId, name: person && personName(person) };
      }),
      fields,
      values: group.flatMap((event) => values.get(event.id) ?? []),
    };
  });
}
