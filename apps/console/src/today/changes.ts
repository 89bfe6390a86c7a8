import type { Mirror } from '@hr/client/mirror';
import { personName } from '../model/person-name.ts';
import type { AuditEvent } from '../backend/operator-client.ts';
import type { ConsoleAction, ConsoleEvent } from '../backend/records.ts';

/** What somebody changed, alone or one after the other. */
export interface Change {
  /** When the last of these changes was made, an ISO 8601 instant. */
  readonly at: string;
  /** The person who worked in the console, or the client. */
  readonly actor: string;
  readonly operation: string;
  /** The number of changes, and of the persons whom they concern. */
  readonly changes: number;
  readonly persons: number;
  /** Some of these persons. Those who are not known any more have no name. */
  readonly people: readonly { readonly id: string; readonly name: string | undefined }[];
}

/** The clients that the console itself uses. What they do, a person did. */
interface OwnChanges {
  readonly clients: readonly string[];
  readonly record: readonly ConsoleEvent[];
}

const MAX_CHANGES = 10;
const MAX_PEOPLE = 3;
/** They show that a client works, and change no data. */
const tokenOperations = new Set(['requestToken', 'revokeToken', 'introspectToken']);
/** What the console records for an operation that it called. */
const actions: Readonly<Record<string, readonly ConsoleAction[]>> = {
  updatePerson: ['update-address', 'update-bank-details'],
  operatorApproveVariablePayment: ['approve-payment'],
  operatorRejectVariablePayment: ['reject-payment'],
  operatorGrantClient: ['grant-client'],
  operatorPauseWebhookEndpoint: ['change-webhook'],
  operatorResumeWebhookEndpoint: ['change-webhook'],
  operatorRemoveWebhookEndpoint: ['change-webhook'],
};
/** Between a change and its record. */
const MAX_DELAY_MS = 60_000;

/** Returns the latest changes of a list that begins with the oldest. */
export function latestChanges(events: readonly AuditEvent[], mirror: Mirror, own: OwnChanges): Change[] {
  const groups: { first: AuditEvent; actor: string; changes: number; persons: Set<string> }[] = [];
  for (const event of events.toReversed()) {
    if (tokenOperations.has(event.operation)) continue;
    const actor = actorOf(event, own);
    const last = groups.at(-1);
    const persons = last?.actor === actor && last.first.operation === event.operation ? last.persons : undefined;
    if (last === undefined || persons === undefined) {
      if (groups.length === MAX_CHANGES) break;
      groups.push({ first: event, actor, changes: 1, persons: new Set(personsOf(event, mirror)) });
    } else {
      last.changes++;
      for (const id of personsOf(event, mirror)) persons.add(id);
    }
  }
  return groups.map(({ first: { at, operation }, actor, changes, persons }) => {
    const people = [...persons].slice(0, MAX_PEOPLE).map((id) => {
      const person = mirror.person(id)?.person;
      return { id, name: person && personName(person) };
    });
    return { at, actor, operation, changes, persons: persons.size, people };
  });
}

function actorOf({ actor, operation, personId, objectId, at }: AuditEvent, { clients, record }: OwnChanges): string {
  if (!clients.includes(actor)) return actor;
  const recorded = record.find(
    ({ subject, action, at: recordedAt }) =>
      subject !== undefined &&
      (subject === personId || subject === objectId) &&
      actions[operation]?.includes(action) &&
      Math.abs(Date.parse(recordedAt) - Date.parse(at)) < MAX_DELAY_MS,
  );
  return recorded?.user ?? actor;
}

function personsOf({ personId, payrollContractId }: AuditEvent, mirror: Mirror): string[] {
  if (personId !== undefined) return [personId];
  if (payrollContractId === undefined) return [];
  return [...mirror.persons({ contract: payrollContractId, limit: 1 })].map(({ id }) => id);
}
