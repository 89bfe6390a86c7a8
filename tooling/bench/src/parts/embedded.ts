import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from 'service/src/database/open-database.ts';
import { fillDatabase } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { costOfAudit } from './audit-cost.ts';
import { latencyDuringLists } from './latency.ts';

const MAX_PERSONS = 5000;

/** Latency and audit of the embedded database, with at most 5,000 persons. */
export const embedded: Part = {
  name: 'embedded',
  async run(bench) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'hr-bench-'));
    const url = `pglite:${folder.path}` as const;
    const database = await openDatabase(url);
    const persons = Math.min(bench.persons, MAX_PERSONS);
    const company = await fillDatabase(database, url, { persons, histories: true });
    await database.close();
    return [await latencyDuringLists(company, bench), ...(await costOfAudit(company, bench))];
  },
};
