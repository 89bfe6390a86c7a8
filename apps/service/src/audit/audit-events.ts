import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-errors.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Access, AccessAudit } from '../http/access-audit.ts';
import { uuidV7 } from './uuid-v7.ts';

/** The kinds of events: data was read, something was changed, or requests were refused. */
export const accesses = ['read', 'change', 'refused'] as const;

/** The operation that drops months. Its object is the first month that is kept. */
export const PRUNE_AUDIT = 'pruneAudit';

/** The operation of a read from the copy that a client keeps. */
export const READ_COPY = 'readCopy';

/** One event of the audit. It holds ids, names of fields and no values. */
export interface AuditEvent extends Access {
  /** A {@link uuidV7} of the event's moment; by default a new one. */
  readonly id?: string;
  readonly access: (typeof accesses)[number];
  /** How many records were read or changed, or how many requests were refused. */
  readonly elements: number;
  /** The HTTP status of refused requests. */
  readonly status?: number;
}

/** An event with the id of its moment. */
export type DatedEvent = AuditEvent & { readonly id: string };

const identifiers = ['personId', 'payrollContractId', 'objectId'] as const;
/** Those of a read. */
const fields = [
  'id',
  'actor',
  'actingPerson',
  'purpose',
  'operation',
  'requestId',
  'access',
  ...identifiers,
  'elements',
  'status',
] as const;
const columns = fields.map(columnOf);

/** The column of a field of an event. */
export function columnOf(field: keyof AuditEvent): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Writes many events to the audit, each once: events that an earlier call has stored are left out. Each names its person
 * itself.
 */
export async function copyEvents(database: Database, events: readonly DatedEvent[]): Promise<void> {
  const rows = events.map((event) => fields.map((field) => event[field]?.toString()));
  try {
    await database.copy({ table: 'audit_event', columns, rows });
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    // The connection broke while an earlier call was being committed. COPY cannot skip rows.
    await recordEvents(database, events, { skipStored: true });
  }
}

/**
 * Writes events to the audit. An event about a payroll contract names its person, too.
 *
 * @returns with `skipStored`, how many were not stored before
 */
export async function recordEvents(
  queries: Queries,
  events: readonly AuditEvent[],
  { skipStored = false } = {},
): Promise<number> {
  // One text of JSON takes half the time that a list for each column takes.
  const stored = await queries.query(
    `insert into audit_event (${columns.join(', ')}, fields)
    select id, actor, "actingPerson", purpose, operation, "requestId", access,
      coalesce("personId", (select person_id from mapping where payroll_contract_id = "payrollContractId")),
      "payrollContractId", "objectId", elements, status, nullif(fields, '{}')
    from json_to_recordset($1::json) as event (id uuid, actor text, "actingPerson" text, purpose text, operation text, "requestId" text, access text,
      "personId" text, "payrollContractId" text, "objectId" text, elements int, status int, fields text[])
    ${skipStored ? 'on conflict (id) do nothing returning 1' : ''}`,
    [JSON.stringify(events.map((event) => ({ id: uuidV7(), ...event })))],
  );
  return stored.length;
}

export const recordChange: AccessAudit['recordChange'] = async (transaction, access, elements) => {
  // The response to a no-op shows what is stored: that is a read.
  const done = elements > 0 ? ({ access: 'change', elements } as const) : ({ access: 'read', elements: 1 } as const);
  await recordEvents(transaction, [{ ...access, ...done }]);
};

/**
 * SQL for a common table expression that audits a change in the statement that makes it.
 *
 * @param source the expression with the `client_id` of the actor
 * @param parameter the number of the parameter with a {@link uuidV7}; the next one is the id of the request
 */
export function auditedChange(operation: string, source: string, parameter: number): string {
  return `audited as (
    insert into audit_event (id, actor, operation, request_id, access, elements)
    select $${parameter}, client_id, '${operation}', $${parameter + 1}, 'change', 1 from ${source}
  )`;
}
