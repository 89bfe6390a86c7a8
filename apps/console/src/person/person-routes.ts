import type { Person } from '@hr/client';
import { Person as PersonModel } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tabs, type Tab } from '../model/addresses.ts';
import { addDays, today } from '../model/calendar.ts';
import { maskBankDetails } from '../model/masked-bank-details.ts';
import { authorsOf, replacedValues, seenEvents, type Author, type ReplacedValue } from '../backend/change-authors.ts';
import type { Console } from '../backend/console.ts';
import type { AuditEvent } from '../backend/operator-client.ts';
import { HISTORY_DAYS } from '../backend/records.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import type { View } from '../backend/view.ts';
import { timeDay, type TimeDay } from '../time/time-routes.ts';

/** Something that was done with the data of a person. */
export interface HistoryEvent {
  readonly id: string;
  /** An ISO 8601 instant. */
  readonly at: string;
  readonly author: Author;
  readonly access: 'read' | 'change' | 'refused' | 'console';
  /** Ids of operations of the service that one request called, or what a person did in a console. */
  readonly what: readonly string[];
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
  readonly values: readonly ReplacedValue[];
  /** How many such events directly after one another this stands for. */
  readonly times: number;
  /** Whether this console read it by itself, such as after a change. */
  readonly isOwnRead: boolean;
}

export interface PersonHistory {
  /** The newest first. */
  readonly events: readonly HistoryEvent[];
  /** Whether there are older events within these days. */
  readonly isCut: boolean;
  readonly days: number;
}

export type PersonScreen = Awaited<ReturnType<typeof personScreen>>;

const DAY_MS = 86_400_000;
const MAX_EVENTS = 200;
/** The most that the service returns. */
const MAX_AUDITED = 1000;
const MAX_DAYS = 14;
const DAYS_BACK = 62;
const shownFields = new Set(Object.keys(PersonModel.shape).filter((field) => field !== 'bankDetails'));

const Query = z.strictObject({ tab: z.enum(tabs).default('profile') });

/** Adds what the screen of a person shows. */
export function addPersonRoutes(app: FastifyInstance, context: Console): void {
  app.get<{ Params: { id: string } }>('/bff/people/:id', ({ view, params, query }) =>
    personScreen(context, view, params.id, parseInput(Query, query).tab),
  );
}

/** Each tab reads only what it shows. */
async function personScreen(context: Console, view: View, id: string, tab: Tab) {
  const { hr } = context.cloud;
  const mirrored = view.person(id);
  if (mirrored === undefined) throw new Problem('not-found', 'There is no such person. They may have been deleted.');
  const { person, seen, withheld, hasBankDetails } = mirrored;
  const { bankDetails, managerId } = person;
  const manager = managerId ? view.person(managerId)?.person : undefined;
  return {
    name: personName(person),
    // What a newer service adds is not for people's eyes until somebody decides that.
    person: Object.fromEntries(Object.entries(person).filter(([field]) => shownFields.has(field))) as Omit<
      Person,
      'bankDetails'
    >,
    bankDetails: bankDetails ? maskBankDetails(bankDetails) : undefined,
    hasBankDetails,
    /** The rights without which fields are missing. */
    withheld,
    mayEdit: { address: view.may(id, 'editor'), bankDetails: view.may(id, 'editor', 'pay') },
    manager: managerId ? { id: managerId, name: manager && personName(manager) } : undefined,
    /** When each field was last seen, and in which system. */
    seen,
    days: tab === 'time' ? lastDays(view, id) : undefined,
    /** As the service has them now, the newest first. */
    absences:
      tab === 'absences'
        ? (await hr.time.absences(id)).toSorted((one, other) => (one.startDate < other.startDate ? 1 : -1))
        : undefined,
    history: tab === 'history' ? await personHistory(context, view, id) : undefined,
  };
}

/** The last days with data, the newest first. */
function lastDays(view: View, personId: string): TimeDay[] {
  const from = addDays(today(), -DAYS_BACK);
  const days = [...view.bookings({ personId, from })].flatMap((person) => person.days);
  return days.slice(-MAX_DAYS).toReversed().map(timeDay);
}

/** Returns who read or changed the data of a person: of the service's audit and of the console's own record. */
async function personHistory(
  { cloud, records, config }: Console,
  view: View,
  personId: string,
): Promise<PersonHistory> {
  const since = new Date(Date.now() - HISTORY_DAYS * DAY_MS).toISOString();
  const read = await cloud.operator.auditEvents({ personId, since, last: String(MAX_AUDITED) });
  const isCut = read.length === MAX_AUDITED;
  const audited = read.filter(seenEvents(view));
  const values = replacedValues(view.changes(personId), audited, Date.parse((isCut && read[0]?.at) || since));
  const authorOf = authorsOf(records, config);
  const events = [...Map.groupBy(audited, ({ requestId, access }) => `${requestId} ${access}`).values()].map((group) =>
    ofRequest(group, authorOf, values),
  );
  // The audit of the service has all else.
  const recorded = records
    .events({ subject: personId, limit: MAX_EVENTS })
    .filter(({ at, action }) => at >= since && action === 'reveal-bank-details')
    .map(({ id, at, user, action }): HistoryEvent => ({
      id: `console ${id}`,
      at,
      author: { name: user, way: 'console', systems: [] },
      access: 'console',
      what: [action],
      fields: [],
      values: [],
      times: 1,
      isOwnRead: false,
    }));
  const others = merged([...events.filter(({ isOwnRead }) => !isOwnRead), ...recorded]);
  const ownReads = merged(events.filter(({ isOwnRead }) => isOwnRead));
  return {
    events: newestFirst([...others.slice(0, MAX_EVENTS), ...ownReads.slice(0, MAX_EVENTS)]),
    isCut: isCut || others.length > MAX_EVENTS,
    days: HISTORY_DAYS,
  };
}

function newestFirst(events: readonly HistoryEvent[]): HistoryEvent[] {
  return events.toSorted((one, other) => Number(one.at < other.at) - Number(one.at > other.at));
}

/** The events of a request, such as the reads for a screen, are one. */
function ofRequest(
  group: readonly AuditEvent[],
  authorOf: (event: AuditEvent) => Author,
  values: ReadonlyMap<string, readonly ReplacedValue[]>,
): HistoryEvent {
  const last = group.at(-1) as AuditEvent;
  const access = last.access as HistoryEvent['access'];
  const fields = [...new Set(group.flatMap((event) => event.fields ?? []))];
  const author = authorOf({ ...last, fields });
  return {
    id: last.id,
    at: last.at,
    author,
    access,
    what: [...new Set(group.map(({ operation }) => operation))],
    fields,
    values: group.flatMap(({ id }) => values.get(id) ?? []),
    times: 1,
    isOwnRead: access === 'read' && author.way === 'console' && author.name === undefined,
  };
}

/** Newest first. Equal events without fields of the same day that follow one another are one. */
function merged(events: readonly HistoryEvent[]): HistoryEvent[] {
  const result: HistoryEvent[] = [];
  for (const event of newestFirst(events.toReversed())) {
    const last = result.at(-1);
    const keyOf = ({ author, what, access, at }: HistoryEvent): string =>
      JSON.stringify([author, what, access, at.slice(0, 'YYYY-MM-DD'.length)]);
    if (last && event.fields.length === 0 && last.fields.length === 0 && keyOf(last) === keyOf(event)) {
      result[result.length - 1] = { ...last, times: last.times + 1 };
    } else {
      result.push(event);
    }
  }
  return result;
}
