import { isLocalDate, text } from '@hr/schemas';
import { z } from 'zod';
import type { Page } from '../database/list.ts';
import { sql, type Sql } from '../database/sql.ts';

const MAX_MOMENT_LENGTH = '2026-01-31T08:15:00.123456+01:00'.length;
const dateTime =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

function isMoment(value: string): boolean {
  if (value.length > MAX_MOMENT_LENGTH) return false;
  return isLocalDate(dateTime.exec(value)?.[1] ?? value);
}

/** A date or a date-time, as a parameter. */
export const MomentParameter = text()
  .refine(
    isMoment,
    'must be a date such as 2026-01-31, or a date-time with its offset such as 2026-01-31T08:15:00Z; write + as %2B',
  )
  .meta({ title: 'Moment' });

/**
 * SQL for the moment that a {@link MomentParameter} means.
 *
 * @param timeZone in which days begin
 * @param days added to a date
 */
export function momentOf(value: string, timeZone: string, days: 0 | 1 = 0): Sql {
  return isLocalDate(value)
    ? sql`(${value}::date + ${String(days)}::int)::timestamp at time zone ${timeZone}`
    : sql`${value}::timestamptz`;
}

/** A whole number from 1 to `max`, as a parameter. */
export function numberUpTo(max: 100 | 1000) {
  const pattern = max === 100 ? /^(?:[1-9]\d?|100)$/ : /^(?:[1-9]\d{0,2}|1000)$/;
  return matching(pattern, `must be a whole number from 1 to ${max}`).meta({ title: 'Number' });
}

function matching(pattern: RegExp, message: string) {
  return text()
    .refine((value) => pattern.test(value), message)
    .meta({ pattern: pattern.source });
}

/** One or more of these values, separated by commas, as a parameter. */
export function someOf(values: readonly string[]) {
  const items = { type: 'string', enum: values };
  const pattern = new RegExp(`^(?:${values.join('|')})(?:,(?:${values.join('|')}))*$`);
  return matching(pattern, `must be some of ${values.join(', ')}, separated by commas`).meta({
    type: 'array',
    items,
    minItems: 1,
    pattern: undefined,
  });
}

/** One or more values of a pattern without commas, separated by commas, as a parameter: as many as an address has room for. */
export function severalOf(item: RegExp, what: string) {
  return matching(
    new RegExp(`^(?:${item.source})(?:,(?:${item.source}))*$`),
    `must be ${what}, separated by commas`,
  ).meta({
    type: 'array',
    items: { type: 'string', pattern: `^${item.source}$` },
    minItems: 1,
    pattern: undefined,
  });
}

/**
 * The model of the query of a list that can be read in pages, whose elements are in the order of their ids. The id of an
 * element is the cursor, so that a response can be a plain array, and whoever has an element can go on behind it.
 */
export function listParameters<Filters extends z.ZodRawShape>(id: RegExp, filters: Filters) {
  const Id = matching(id, 'must be an id of this list').meta({ title: 'Id' });
  return z
    .strictObject({
      ...filters,
      limit: numberUpTo(1000).describe('At most so many of them, 1 to 1000. Without it, all.').optional(),
      last: numberUpTo(1000).describe('Only the newest so many of them, 1 to 1000. Still the oldest first.').optional(),
      after: Id.describe('Only those after the one with this id: the next page after its last element.').optional(),
      before: Id.describe('Only those before the one with this id.').optional(),
    })
    .refine((query) => (query as Page).limit === undefined || (query as Page).last === undefined, {
      path: ['last'],
      message: 'must not be given with limit',
    });
}
