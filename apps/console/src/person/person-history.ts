import type { Console } from '../backend/console.ts';
import type { AuditEvent } from '../backend/operator-client.ts';

/** Something that was done with the data of a person. */
export interface HistoryEvent {
  readonly id: string;
  /** An ISO 8601 instant. */
  readonly at: string;
  /** The person who used a console, or the client of the service. */
  readonly actor: string;
  /** Whether the actor is the client by which this console itself calls the service. */
  readonly isThisConsole: boolean;
  readonly access: 'read' | 'change' | 'refused' | 'console';
  /** Id of the operation of the service, or what a person did in a console. */
  readonly what: string;
  /** How many such events directly after one another this stands for. */
  readonly times: number;
}

export interface PersonHistory {
  /** The newest first. */
  readonly events: readonly HistoryEvent[];
  /** Whether there are older events within these days. */
  readonly isCut: boolean;
  readonly days: number;
}

const DAYS = 90;
const DAY_MS = 86_400_000;
const MAX_EVENTS = 200;

/** Returns who read or changed the data of a person: of the service's audit and of the console's own record. */
export async function personHistory({ cloud, records, config }: Console, personId: string): Promise<PersonHistory> {
  const since = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  const own = new Set([config.client.clientId, config.operator.clientId]);
  const audited = (await cloud.operator.auditEvents({ personId, since })).map((event) => fromAudit(event, own));
  const recorded = records
    .events({ subject: personId, limit: MAX_EVENTS })
    .filter(({ at }) => at >= since)
    .map(({ id, at, user, action }): HistoryEvent => ({
      id: `console ${id}`,
      at,
      actor: user,
      isThisConsole: false,
      access: 'console',
      what: action,
      times: 1,
    }));
  const events = merged([...audited, ...recorded].toSorted((one, other) => (one.at < other.at ? 1 : -1)));
  return { events: events.slice(0, MAX_EVENTS), isCut: events.length > MAX_EVENTS, days: DAYS };
}

function fromAudit({ id, at, actor, access, operation }: AuditEvent, own: ReadonlySet<string>): HistoryEvent {
  const known = access as HistoryEvent['access'];
  return { id, at, actor, isThisConsole: own.has(actor), access: known, what: operation, times: 1 };
}

/** Counts equal events of the same day that follow one another, such as reads, as one. */
function merged(events: readonly HistoryEvent[]): HistoryEvent[] {
  const result: HistoryEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const isSame =
      last?.actor === event.actor &&
      last.what === event.what &&
      last.access === event.access &&
      last.at.slice(0, 10) === event.at.slice(0, 10);
    if (isSame) result[result.length - 1] = { ...last, times: last.times + 1 };
    else result.push(event);
  }
  return result;
}
