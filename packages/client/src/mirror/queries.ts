import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isLocalDate, type TimeBookingDay } from '@hr/schemas/checks';
import type { Absence, Person, TimeBookingPerson } from '../hr-client.ts';
import type { DayQuery, MirroredPerson, PersonQuery } from './mirror.ts';
import { MirrorError } from './mirror-error.ts';
import { allOf, searchConditions } from './person-search.ts';
import { parseProvenance, seenFields } from './provenance.ts';

const personQueryNames: readonly (keyof PersonQuery)[] = ['name', 'group', 'contract', 'status', 'after', 'limit'];
const MAX_NAME_LENGTH = 400;
const dayQueryNames: readonly (keyof DayQuery)[] = ['personId', 'from', 'to'];

export function readPerson(database: DatabaseSync, id: string): MirroredPerson | undefined {
  const row = database
    .prepare(
      `SELECT document, seen, (SELECT full_synced_at FROM collection WHERE name = 'persons') AS fullAt
      FROM person JOIN person_document USING (key) WHERE id = ?`,
    )
    .get(id) as { document: string; seen: string | null; fullAt: number } | undefined;
  if (!row) return undefined;
  const person = JSON.parse(row.document) as Person;
  return { person, seen: seenFields(person, parseProvenance(row.seen), row.fullAt) };
}

export function readPersons(database: DatabaseSync, query: PersonQuery): IterableIterator<Person> {
  checkPersonQuery('persons', query);
  const { sql, values } = allOf(searchConditions(query));
  return documents<Person>(
    database,
    `SELECT document FROM person JOIN person_document USING (key) WHERE ${sql} ORDER BY id LIMIT ?`,
    [...values, query.limit ?? -1],
  );
}

export function countPersons(database: DatabaseSync, query: PersonQuery): number {
  checkPersonQuery('countPersons', query);
  const { sql, values } = allOf(searchConditions({ ...query, after: undefined }));
  return Number(database.prepare(`SELECT count(*) AS rows FROM person WHERE ${sql}`).get(...values)?.['rows']);
}

export function readBookings(database: DatabaseSync, query: DayQuery): IterableIterator<TimeBookingPerson> {
  const { personId, from, to } = checkedDayQuery('bookings', query);
  const { sql, values } = allOf([
    { sql: 'person_id = ?', values: [personId] },
    { sql: 'date >= ?', values: [from] },
    { sql: 'date <= ?', values: [to] },
  ]);
  const statement = `SELECT person_id AS personId, document FROM booking WHERE ${sql} ORDER BY person_id, date`;
  return byPerson(rows(database, statement, values));
}

/** The days match as by `matchesAbsenceFilter` of `@hr/schemas/rules`. */
export function readAbsences(database: DatabaseSync, query: DayQuery): IterableIterator<Absence> {
  const { personId, from, to } = checkedDayQuery('absences', query);
  const { sql, values } = allOf([
    { sql: 'person_id = ?', values: [personId] },
    { sql: 'first_day <= ?', values: [to ?? from] },
    { sql: 'last_day >= ?', values: [from] },
  ]);
  return documents<Absence>(
    database,
    `SELECT document FROM absence WHERE ${sql} ORDER BY person_id, first_day, id`,
    values,
  );
}

interface Row {
  readonly personId: string;
  readonly document: string;
}

function* rows(database: DatabaseSync, sql: string, values: readonly SQLInputValue[]): Generator<Row, void, undefined> {
  // A statement of its own, because iterations can run at the same time.
  yield* database.prepare(sql).iterate(...values) as Iterable<unknown> as Iterable<Row>;
}

function* documents<Document>(
  database: DatabaseSync,
  sql: string,
  values: readonly SQLInputValue[],
): Generator<Document, void, undefined> {
  for (const { document } of rows(database, sql, values)) yield JSON.parse(document) as Document;
}

function* byPerson(days: Iterable<Row>): Generator<TimeBookingPerson, void, undefined> {
  let person: { readonly personId: string; readonly days: TimeBookingDay[] } | undefined;
  for (const { personId, document } of days) {
    if (person && person.personId !== personId) {
      yield person;
      person = undefined;
    }
    person ??= { personId, days: [] };
    person.days.push(JSON.parse(document) as TimeBookingDay);
  }
  if (person) yield person;
}

function checkPersonQuery(method: string, query: PersonQuery): void {
  checkNames(method, query, personQueryNames);
  const { limit = 0, name = '' } = query;
  // SQLite limits the depth of a condition.
  if (name.length > MAX_NAME_LENGTH) {
    throw new MirrorError('invalid-option', `${method}: name must have at most ${MAX_NAME_LENGTH} characters.`);
  }
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new MirrorError('invalid-option', `${method}: limit must be a whole number, 0 or more.`);
  }
}

function checkedDayQuery(method: string, query: DayQuery): DayQuery {
  checkNames(method, query, dayQueryNames);
  for (const name of ['from', 'to'] as const) {
    const day = query[name];
    if (day !== undefined && !isLocalDate(day)) {
      throw new MirrorError('invalid-option', `${method}: ${name} must be a date YYYY-MM-DD, such as 2026-01-31.`);
    }
  }
  return query;
}

/** An unknown name is an error, because a misspelt condition would return everything. */
function checkNames(method: string, query: object, names: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new MirrorError(
    'invalid-option',
    `${method}: unknown condition ${unknown}. The conditions are ${names.join(', ')}.`,
  );
}
