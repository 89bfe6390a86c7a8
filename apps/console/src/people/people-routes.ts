import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { peopleCsv } from './people-csv.ts';
import { personRow, type PersonRow } from './person-row.ts';

export interface PeopleScreen {
  readonly rows: readonly PersonRow[];
}

/** The table of some persons, as the text of a file. */
export interface PeopleExport {
  readonly csv: string;
}

const MAX_EXPORT_BYTES = 2 ** 23;
const Export = z.strictObject({ ids: z.array(z.string().max(255)).min(1), locale: z.enum(['de', 'en']) });

/** Adds the directory and its export. */
export function addPeopleRoutes(app: FastifyInstance, { cloud, records }: Console): void {
  let rows: readonly PersonRow[] = [];
  let rowsOf: string | undefined;

  app.get('/bff/people', (): PeopleScreen => {
    const { syncedAt } = cloud.mirror.status().find(({ collection }) => collection === 'persons') ?? {};
    // Every open browser asks after each change.
    if (syncedAt === undefined || syncedAt !== rowsOf) rows = Array.from(cloud.mirror.persons(), personRow);
    rowsOf = syncedAt;
    return { rows };
  });

  app.post(
    '/bff/people/csv',
    { bodyLimit: MAX_EXPORT_BYTES, config: { role: 'viewer' } },
    ({ body, user }): PeopleExport => {
      const { ids, locale } = parseInput(Export, body);
      const persons = [...new Set(ids)].flatMap((id) => cloud.mirror.person(id)?.person ?? []);
      records.record(user, 'export');
      return { csv: peopleCsv(persons.map(personRow), locale) };
    },
  );
}
