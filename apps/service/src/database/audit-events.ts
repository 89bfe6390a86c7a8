import type { Queries } from './database.ts';
import type { Subject } from './json-answer.ts';

/** Who does something, through which operation, with which request. */
export interface Origin {
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

/** Writes events to the audit. One about a payroll contract names the person whose it is, too. */
export async function recordEvents(queries: Queries, events: readonly AuditEvent[]): Promise<void> {
  await queries.query(
    `insert into audit_event (at, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
    select coalesce(to_timestamp(at / 1000), clock_timestamp()), actor, operation, request_id, access,
      coalesce(event.person_id, mapping.person_id), payroll_contract_id, object_id, elements
    from unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[])
      as event (at, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
    left join mapping using (payroll_contract_id)`,
    [
      events.map(({ at }) => at ?? null),
      events.map(({ actor }) => actor),
      events.map(({ operation }) => operation),
      events.map(({ requestId }) => requestId),
      events.map(({ access }) => access),
      events.map(({ personId }) => personId ?? null),
      events.map(({ payrollContractId }) => payrollContractId ?? null),
      events.map(({ objectId }) => objectId ?? null),
      events.map(({ elements }) => elements),
    ],
  );
}
