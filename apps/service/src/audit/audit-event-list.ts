import { isLocalDate } from '@hr/schemas';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';

const exact = ['personId', 'payrollContractId', 'objectId', 'actor', 'operation', 'access', 'requestId'] as const;

/** Which events are looked for: those that fit all of it. */
export interface AuditEventFilter extends Readonly<Partial<Record<(typeof exact)[number], string | undefined>>> {
  /** A date or an RFC 3339 date-time, that moment included. */
  readonly since?: string | undefined;
  /** A date, that day included, or an RFC 3339 date-time, that moment not included. */
  readonly until?: string | undefined;
  /** How many of the newest events at most, as decimal digits. */
  readonly last?: string | undefined;
}

const column = (name: string): ListQuery => ({
  text: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
});

/** An event as operators see it, its moment in UTC. */
export const auditEventJson = `json_strip_nulls(json_build_object('id', id,
  'at', to_char(audit_event_at(id) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'actor', actor, 'access', access, 'operation', operation, 'requestId', request_id,
  'personId', person_id, 'payrollContractId', payroll_contract_id, 'objectId', object_id, 'elements', elements, 'status', status))`;

/**
 * The events of the audit, oldest first.
 *
 * @param timeZone in which the days of the filter begin
 */
export function auditEventList(filter: AuditEventFilter, timeZone: string): ListQuery {
  const conditions = exact.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [listQuery`${column(name)} = ${value}`];
  });
  const { since, until, last } = filter;
  if (since !== undefined) conditions.push(listQuery`id >= ${firstId(since, timeZone, '0')}`);
  if (until !== undefined) conditions.push(listQuery`id < ${firstId(until, timeZone, '1')}`);
  const all = conditions.reduce((before, condition) => listQuery`${before} and ${condition}`, listQuery`true`);
  const events = listQuery`select id as key, ${{ text: auditEventJson }}::text as element from audit_event where ${all}`;
  if (last === undefined) return events;
  return listQuery`select key, element from (${events} order by id desc limit ${last}::int) as newest`;
}

/** The lowest id since a moment, or since the beginning of the day so many days after a date. */
function firstId(moment: string, timeZone: string, days: string): ListQuery {
  return isLocalDate(moment)
    ? listQuery`audit_event_id((${moment}::date + ${days}::int)::timestamp at time zone ${timeZone})`
    : listQuery`audit_event_id(${moment}::timestamptz)`;
}
