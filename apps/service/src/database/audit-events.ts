import type { Database, Queries } from './database.ts';
import type { Subject } from './json-answer.ts';

/** Who does something, through which operation, with which request. */
interface Origin {
  /** A client's id, or `command line`. */
  readonly actor: string;
  readonly operation: string;
  readonly requestId: string;
}

/** One line of the audit: who read or changed whose data. It holds ids and no values. */
export interface AuditEvent extends Origin, Subject {
  readonly access: 'read' | 'change';
  /** How many records were read or changed. */
  readonly elements: number;
  /** Milliseconds since the epoch; by default now. */
  readonly at?: number;
}

/** A read, at its moment. */
export type Read = Omit<AuditEvent, 'access'> & { readonly at: number };

/** Writes events to the audit. One about a payroll contract names the person whose it is, too. */
export async function recordEvents(queries: Queries, events: readonly AuditEvent[]): Promise<void> {
  // One text of JSON takes half the time that a list for each column takes.
  await queries.query(
    `insert into audit_event (at, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
    select coalesce(to_timestamp(at / 1000), clock_timestamp()), actor, operation, "requestId", access,
      coalesce("personId", (select person_id from mapping where payroll_contract_id = "payrollContractId")),
      "payrollContractId", "objectId", elements
    from json_to_recordset($1::json) as event (at float8, actor text, operation text, "requestId" text, access text,
      "personId" text, "payrollContractId" text, "objectId" text, elements int)`,
    [JSON.stringify(events)],
  );
}

/** Writes many reads to the audit. Each says itself whose data it has read, and when. */
export function recordReads(database: Database, reads: readonly Read[]): Promise<void> {
  return database.copy({
    table: 'audit_event',
    columns: [
      'at',
      'actor',
      'operation',
      'request_id',
      'access',
      'person_id',
      'payroll_contract_id',
      'object_id',
      'elements',
    ],
    rows: reads.map(({ at, actor, operation, requestId, personId, payrollContractId, objectId, elements }) => [
      new Date(at).toISOString(),
      actor,
      operation,
      requestId,
      'read',
      personId,
      payrollContractId,
      objectId,
      String(elements),
    ]),
  });
}
