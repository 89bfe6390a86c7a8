import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import { listPage } from '../database/list-page.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { checkActsForPeople } from '../http/acting.ts';
import type { Handlers } from '../http/route.ts';
import { momentOf } from '../operator/list-parameters.ts';
import { blockJson, chainAll, newestBlock } from './audit-chain.ts';
import { columnOf, READ_COPY, recordEvents } from './audit-events.ts';
import type { AuditEventFilter, auditOperations, AuditVerification, ClientActivityQuery } from './audit-operations.ts';
import { verifyAudit } from './verify-audit.ts';

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

const SILENCE_MS = 5000;

async function auditHead(database: Database): Promise<JsonAnswer> {
  await chainAll(database);
  const { number, hash, lastPosition } = await newestBlock(database);
  const [row] = await database.query<{ unchained: number }>(
    'select count(*)::int as unchained from audit_event where position > $1',
    [lastPosition],
  );
  return oneRecord(JSON.stringify({ block: number, hash, unchained: row?.unchained ?? 0 }));
}

/** The response begins at once and goes on, as a connection on which nothing is sent for long is closed. */
async function verification(database: Database): Promise<JsonAnswer> {
  // A database that is not there is told by the status.
  await newestBlock(database);
  async function* text(): AsyncGenerator<string> {
    const verified = chainAll(database).then(() => verifyAudit(database));
    verified.catch(() => {
      // It ends the response, if that has not ended before.
    });
    let result: AuditVerification | undefined;
    while (result === undefined) {
      yield ' ';
      // oxlint-disable-next-line no-await-in-loop -- until it is there
      result = await Promise.race([verified, wait(SILENCE_MS, undefined, { ref: false })]);
    }
    yield JSON.stringify(result);
  }
  return { json: Readable.from(text(), { objectMode: false }), elements: 1 };
}

function auditBlocks({ number }: { readonly number?: string | undefined }): List {
  const blocks = sql`select number as key, ${raw(blockJson)}::text as element from audit_block`;
  return [number === undefined ? blocks : sql`${blocks} where number = any(${number.split(',')}::bigint[])`];
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
  operatorListAuditBlocks: ({ database, query }) => listPage(database, auditBlocks(query), query),
  operatorGetAuditHead: ({ database }) => auditHead(database),
  operatorVerifyAudit: ({ database }) => verification(database),
  operatorListClientActivity: ({ database, config, query }) => database.list([clientActivity(query, config.timeZone)]),
} satisfies Handlers<typeof auditOperations>;
