import { listPage } from '../database/list-page.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { checkActsForPeople } from '../http/acting.ts';
import type { Handlers } from '../http/route.ts';
import { momentOf } from '../operator/list-parameters.ts';
import { columnOf, READ_COPY, recordEvents } from './audit-events.ts';
import type { AuditEventFilter, auditOperations, ClientActivityQuery } from './audit-operations.ts';

/** An event as operators see it, its moment in UTC. */
export const auditEventJson = `json_strip_nulls(json_build_object('id', id,
  'at', to_char(audit_event_at(id) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'actor', actor, 'actingPerson', acting_person, 'purpose', purpose, 'access', access, 'operation', operation, 'requestId', request_id,
  'personId', person_id, 'payrollContractId', payroll_contract_id, 'objectId', object_id, 'elements', elements, 'fields', fields, 'status', status))`;

/** The events of the audit that match all of the filter, oldest first. Days begin in `timeZone`. */
export function auditEventList(filter: AuditEventFilter, timeZone: string): List {
  return [auditEvents(filter, timeZone)];
}

const exact = [
  'personId',
  'payrollContractId',
  'objectId',
  'actor',
  'actingPerson',
  'operation',
  'access',
  'requestId',
] as const;

function auditEvents(filter: AuditEventFilter, timeZone: string): Sql {
  const { since, until } = filter;
  let events = sql`select id as key, ${raw(auditEventJson)}::text as element from audit_event where true`;
  for (const name of exact) {
    const value = filter[name];
    if (value !== undefined) events = sql`${events} and ${raw(columnOf(name))} = ${value}`;
  }
  if (since !== undefined) events = sql`${events} and id >= audit_event_id(${momentOf(since, timeZone)})`;
  if (until !== undefined) events = sql`${events} and id < audit_event_id(${momentOf(until, timeZone, 1)})`;
  return events;
}

/**
 * The newest events of each client that has one. The index of actors finds each client's, so the cost follows the number
 * of clients and not that of events.
 */
function clientActivity({ last = '1', ...filter }: ClientActivityQuery, timeZone: string): Sql {
  const events = auditEvents(filter, timeZone);
  return sql`select client_id collate "C" as key,
    json_build_object('clientId', client_id, 'events', events)::text as element
    from api_client cross join lateral (select json_agg(element::json order by key) as events from
      (${events} and actor = client_id collate "C" order by key desc limit ${last}::int) as newest) as activity
    where events is not null`;
}

export const auditHandlers = {
  async operatorRecordReads({ transaction, body: { events }, grant, origin: { actor, requestId } }) {
    checkActsForPeople(grant);
    const origin = { actor, requestId, operation: READ_COPY, access: 'read' } as const;
    const reads = events.map((event) => ({ ...event, ...origin }));
    const stored = await recordEvents(transaction, reads, { skipStored: true });
    // The response does not say which ids are stored: they may be of others.
    return { json: JSON.stringify({ events: events.length }), elements: stored };
  },

  operatorListAuditEvents: ({ database, config, query }) =>
    listPage(database, auditEventList(query, config.timeZone), query),
  operatorListClientActivity: ({ database, config, query }) => database.list([clientActivity(query, config.timeZone)]),
} satisfies Handlers<typeof auditOperations>;
