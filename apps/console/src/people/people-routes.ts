import { LocalDate } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { gapFinder } from '../backend/find-gaps.ts';
import { parseInput } from '../backend/problem.ts';
import { gaps } from '../model/gaps.ts';
import { dictionaryOf } from '../model/labels.ts';
import { DirectoryVersions, type PeopleScreen } from './directory-versions.ts';
import { peopleCsv } from './people-csv.ts';
import { personRow } from './person-row.ts';

/** The table of some persons, as the text of a file. */
export interface PeopleExport {
  readonly csv: string;
}

const Since = z.object({ since: z.string().max(100).optional() });
const Missing = z.object({ gap: z.enum(gaps), date: LocalDate });
const MAX_EXPORT_BYTES = 2 ** 23;
const Export = z.strictObject({ ids: z.array(z.string().max(255)).min(1), locale: z.enum(['de', 'en']) });

/** Adds the directory and its export. */
export function addPeopleRoutes(app: FastifyInstance, { cloud, records }: Console): void {
  const versions = new DirectoryVersions();
  let versionOf: string | undefined;

  app.get('/bff/people', ({ query }): PeopleScreen => {
    const { since } = parseInput(Since, query);
    const { syncedAt } = cloud.mirror.status().find(({ collection }) => collection === 'persons') ?? {};
    // Every open browser asks after each change.
    if (syncedAt === undefined || syncedAt !== versionOf)
      versions.update(Array.from(cloud.mirror.persons(), personRow));
    versionOf = syncedAt;
    return versions.since(since);
  });

  app.get('/bff/missing', ({ query }): string[] => {
    const { gap, date } = parseInput(Missing, query);
    const gapsOf = gapFinder(cloud.mirror, date);
    return [...cloud.mirror.persons({ status: 'ACTIVE' })]
      .filter((person) => gapsOf(person).includes(gap))
      .map(({ id }) => id);
  });

  app.post(
    '/bff/people/csv',
    { bodyLimit: MAX_EXPORT_BYTES, config: { role: 'viewer' } },
    ({ body, user }): PeopleExport => {
      const { ids, locale } = parseInput(Export, body);
      const persons = [...new Set(ids)].flatMap((id) => cloud.mirror.person(id)?.person ?? []);
      records.record(user, 'export');
      return { csv: peopleCsv(persons.map(personRow), locale, dictionaryOf(records.labels(), locale)) };
    },
  );
}
