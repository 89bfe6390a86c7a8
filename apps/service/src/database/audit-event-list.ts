import { isLocalDate } from '@hr/schemas';
import { listQuery } from './list-query.ts';
import type { ListQuery } from './list-query.ts';

const exact = ['personId', 'payrollContractId', 'objectId', 'actor', 'operation', 'access', 'requestId'] as const;

/** Which events are looked for: those that fit all of it. */
export interface AuditEventFilter extends Readonly<Partial<Record<(typeof exact)[number], string | undefined>>> {
  /** A date or an RFC 3339 date-time, that moment included. */
  readonly since?: string | undefined;
  /** A date, that day included, or an RFC 3339 date-time, that moment not included. */
  readonly until?: string | undefined;
}

const column = (name: string): ListQuery => ({
  text: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
});

/** An event as operators see it, its moment in UTC. */
export const auditEventJson = `json_strip_nulls(json_build_object('id', id::text,
  'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'actor', actor, 'access', access, 'operation', operation, 'requestId', request_id,
  'personId', person_id, 'payrollContractId', payroll_contract_id, 'objectId', object_id, 'elements', elements))`;

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
  const { since, until } = filter;
  if (since !== undefined) conditions.push(listQuery`position >= ${position(since, timeZone, '0')}`);
  if (until !== undefined) conditions.push(listQuery`position < ${position(until, timeZone, '1')}`);
  const all = conditions.reduce((before, condition) => listQuery`${before} and ${condition}`, listQuery`true`);
  return listQuery`select position as key, ${{ text: auditEventJson }}::text as element from audit_event where ${all}`;
}

/** Where in the audit a moment is, or the beginning of the day so many days after a date. */
function position(moment: string, timeZone: string, days: string): ListQuery {
  const at = isLocalDate(moment)
    ? listQuery`((${moment}::date + ${days}::int)::timestamp at time zone ${timeZone})`
    : listQuery`${moment}::timestamptz`;
  // No event is older than 1970, before which the order of the bytes is another one. Ids begin at 1.
  const microseconds = listQuery`greatest(0, extract(epoch from ${at} at time zone 'UTC') * 1000000)::bigint`;
  return listQuery`encode(int8send(${microseconds}) || int8send(0), 'hex')::uuid`;
}
