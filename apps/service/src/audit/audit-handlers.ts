import { Identifier, isLocalDate, text } from '@hr/schemas';
import { z } from 'zod';
import { accesses } from './audit-events.ts';
import { auditEventList } from './audit-event-list.ts';
import type { OperatorHandlers } from '../operator/operator-routes.ts';

const dateTime =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const MAX_MOMENT_LENGTH = '2026-01-31T08:15:00.123456+01:00'.length;

function isMoment(value: string): boolean {
  if (value.length > MAX_MOMENT_LENGTH) return false;
  return isLocalDate(dateTime.exec(value)?.[1] ?? value);
}

/** How many of the newest events a list can be limited to. */
const lastNumber = /^(?:[1-9]\d{0,2}|1000)$/;
const Last = text()
  .refine((value) => lastNumber.test(value), 'must be a whole number from 1 to 1000')
  .meta({ pattern: lastNumber.source });

const Moment = text().refine(
  isMoment,
  'must be a date such as 2026-01-31, or a date-time with its offset such as 2026-01-31T08:15:00Z; write + as %2B',
);

export const AuditEventQuery = z
  .strictObject({
    personId: Identifier.describe('About this person.').optional(),
    payrollContractId: Identifier.describe('About this payroll contract.').optional(),
    objectId: Identifier.describe('About this variable payment or client.').optional(),
    actor: Identifier.describe('By this client, by `command line`, or by `unknown`.').optional(),
    operation: Identifier.describe('Through this operation.').optional(),
    access: z.enum(accesses).describe('Only reads, only changes, or only refused requests.').optional(),
    requestId: Identifier.describe('Of the request with this id.').optional(),
    since: Moment.describe(
      'From the beginning of a date in the time zone of the service, or from a date-time on.',
    ).optional(),
    until: Moment.describe('To the end of such a date, or before a date-time.').optional(),
    last: Last.describe('Only the newest so many of them, 1 to 1000. Still the oldest first.').optional(),
  })
  .refine(({ since, until }) => since === undefined || until === undefined || !isAfter(since, until), {
    path: ['since'],
    message: 'must not be after until',
  });

/** Whether one moment is after the other; a date and a date-time are not compared, as days begin in the service's zone. */
function isAfter(one: string, other: string): boolean {
  return isLocalDate(one) === isLocalDate(other) && Date.parse(one) > Date.parse(other);
}

/** Who read or changed whose data. */
export const auditEventHandlers = {
  operatorListAuditEvents: ({ database, config, query }) => database.list(auditEventList(query, config.timeZone)),
} satisfies Partial<OperatorHandlers>;
