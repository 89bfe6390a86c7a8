import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-errors.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Subject } from '../database/json-answer.ts';
import { uuidV7 } from './uuid-v7.ts';

/** One event of the audit: who read or changed whose data. It holds ids and no values. */
export interface AuditEvent extends Subject {
  /** A {@link uuidV7} of the event's moment; by default a new one. */
  readonly id?: string;
  /** A client's id, or `command line`. */
  readonly actor: string;
  readonly operation: string;
  readonly requestId: string;
  readonly access: 'read' | 'change';
  /** How many records were read or changed. */
  readonly elements: number;
}

/** A read, with the id of its moment. */
export type Read = Omit<AuditEvent, 'access'> & { readonly id: string };

const columns = [
  'id',
  'actor',
  'operation',
  'request_id',
  'access',
  'person_id',
  'payroll_contract_id',
  'object_id',
  'elements',
];

/**
 * Writes many reads to the audit, each once: reads that an earlier call has stored are left out. Each names its person
 * itself.
 */
export async function recordReads(database: Database, reads: readonly Read[]): Promise<void> {
  const rows = reads.map(({ id, actor, operation, requestId, personId, payrollContractId, objectId, elements }) => [
    id,
    actor,
    operation,
    requestId,
    'read',
    personId,
    payrollContractId,
    objectId,
    String(elements),
  ]);
  try {
    await database.copy({ table: 'audit_event', columns, rows });
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    // The connection broke while an earlier call was being committed. COPY cannot skip rows.
    const events = reads.map((read) => ({ ...read, access: 'read' }) as const);
    await recordEvents(database, events, { skipStored: true });
  }
}

/** Writes events to the audit. An event about a payroll contract names its person, too. */
export async function recordEvents(
  queries: Queries,
  events: readonly AuditEvent[],
  { skipStored = false } = {},
): Promise<void> {
  // One text of JSON takes half the time that a list for each column takes.
  await queries.query(
    `insert into audit_event (${columns.join(', ')})
    select id, actor, operation, "requestId", access,
      coalesce("personId", (select person_id from mapping where payroll_contract_id = "payrollContractId")),
      "payrollContractId", "objectId", elements
    from json_to_recordset($1::json) as event (id uuid, actor text, operation text, "requestId" text, access text,
      "personId" text, "payrollContractId" text, "objectId" text, elements int)
    ${skipStored ? 'on conflict (id) do nothing' : ''}`,
    [JSON.stringify(events.map((event) => ({ id: uuidV7(), ...event })))],
  );
}
