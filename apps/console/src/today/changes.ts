import type { Mirror } from '@hr/client/mirror';
import { authorsOf, replacedValues, type Author, type ReplacedValue } from '../backend/change-authors.ts';
import type { Console } from '../backend/console.ts';
import { personName } from '@hr/text/person-name';
import type { AuditEvent } from '../backend/operator-client.ts';

/** What somebody changed, alone or one after the other. */
export interface Change {
  /** When the last of these changes was made, an ISO 8601 instant. */
  readonly at: string;
  readonly author: Author;
  readonly operation: string;
  /** The number of changes, and of the persons whom they concern. */
  readonly changes: number;
  readonly persons: number;
  /** Some of these persons. Those who are not known any more have no name. */
  readonly people: readonly { readonly id: string; readonly name: string | undefined }[];
  /** Names of the fields that changed. */
  readonly fields: readonly string[];
  /** If they concern one person. */
  readonly values: readonly ReplacedValue[];
}

const MAX_CHANGES = 10;
const MAX_PEOPLE = 3;
/** The most that the service returns. */
const MAX_EVENTS = 1000;
/** They show that a client works, and change no data. */
const tokenOperations = new Set(['requestToken', 'revokeToken', 'introspectToken']);

/**
 * Returns the latest changes.
 *
 * @param since - An ISO 8601 instant.
 */
export async function latestChanges({ cloud, config, records }: Console, since: string): Promise<Change[]> {
  const { operator, mirror, changes: kept } = cloud;
  const events = await operator.auditEvents({ access: 'change', since, last: String(MAX_EVENTS) });
  const authorOf = authorsOf(events, records, config);
  const groups: { author: Author; operation: string; events: AuditEvent[] }[] = [];
  for (const event of events.toReversed()) {
    const { operation } = event;
    if (tokenOperations.has(operation)) continue;
    const author = authorOf(event);
    const last = groups.at(-1);
    if (last?.operation === operation && last.author.name === author.name && last.author.way === author.way) {
      last.events.push(event);
    } else {
      if (groups.length === MAX_CHANGES) break;
      groups.push({ author, operation, events: [event] });
    }
  }
  const knownSince = Date.parse((events.length === MAX_EVENTS && events[0]?.at) || since);
  return groups.map(({ operation, events: group }) => {
    const fields = [...new Set(group.flatMap((event) => event.fields ?? []))];
    const persons = [...new Set(group.flatMap((event) => personsOf(event, mirror)))];
    const [id = ''] = persons;
    const ofPerson = events.filter(({ personId }) => personId === id);
    const values = persons.length === 1 ? replacedValues(kept.of(id), ofPerson, knownSince) : new Map();
    const people = persons.slice(0, MAX_PEOPLE).map((personId) => {
      const person = mirror.person(personId)?.person;
      return { id: personId, name: person && personName(person) };
    });
    return {
      at: group[0]?.at ?? since,
      author: authorOf({ ...(group[0] as AuditEvent), fields }),
      operation,
      changes: group.length,
      persons: persons.length,
      people,
      fields,
      values: group.flatMap((event) => values.get(event.id) ?? []),
    };
  });
}

function personsOf({ personId, payrollContractId }: AuditEvent, mirror: Mirror): string[] {
  if (personId !== undefined) return [personId];
  if (payrollContractId === undefined) return [];
  return [...mirror.persons({ contract: payrollContractId, limit: 1 })].map(({ id }) => id);
}
