import type { Queries } from '../database/database.ts';
import { oneRecord } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { personalData } from './personal-data.ts';

/** All that is stored about a person, as one JSON object of one moment; `undefined` where nothing is. */
export async function exportPerson(queries: Queries, personId: string): Promise<JsonAnswer | undefined> {
  const parts = Object.entries(personalData);
  const members = parts.map(
    ([name, { table, where, element, order }]) =>
      `'${name}', (select coalesce(json_agg(${element} order by ${order}), '[]') from ${table} where ${where})`,
  );
  // One statement sees one moment.
  const [row] = await queries.query<{ document: string }>(
    `select json_build_object('personId', $1::text, 'exportedAt', now(), ${members.join(', ')})::text as document
    where ${parts.map(([, { table, where }]) => `exists (select from ${table} where ${where})`).join(' or ')}`,
    [personId],
  );
  return row && oneRecord(row.document);
}
