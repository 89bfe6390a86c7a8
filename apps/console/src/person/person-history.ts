import { authorsOf, replacedValues, type Author, type ReplacedValue } from '../backend/change-authors.ts';
import type { Console } from '../backend/console.ts';
import type { AuditEvent } from '../backend/operator-client.ts';
import { HISTORY_DAYS } from '../backend/records.ts';

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

const DAY_MS = 86_400_000;
const MAX_EVENTS = 200;
/** The most that the service returns. */
const MAX_AUDITED = 1000;

/** Returns who read or changed the data of a person: of the service's audit and of the console's own record. */
export async function personHistory({ cloud, records, config }: Console, personId: string): Promise<PersonHistory> {
  const since = new Date(Date.now() - HISTORY_DAYS * DAY_MS).toISOString();
  const audited = await cloud.operator.auditEvents({ personId, since, last: String(MAX_AUDITED) });
  const isCut = audited.length === MAX_AUDITED;
  const values = replacedValues(cloud.changes.of(personId), audited, Date.parse((isCut && audited[0]?.at) || since));
  const authorOf = authorsOf(audited, records, config);
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
