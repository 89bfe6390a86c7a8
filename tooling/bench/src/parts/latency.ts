import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from 'service/src/database/open-database.ts';
import { alternate } from '../alternate.ts';
import { amount, quantile } from '../figures.ts';
import { fillDatabase, inTurn, type Company, type Size } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, startService, stop } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';

const MAX_EMBEDDED_PERSONS = 5000;

/** The p99 of short reads, turn by turn, while four readers read full lists of persons. */
async function latencyDuringLists({ url, token, paths }: Company, { turns, roundMs }: Size) {
  await using service = await startService(url);
  const caller = { origin: service.ready, token };
  const next = inTurn(paths.absences);
  async function percentile99(): Promise<number> {
    const times: number[] = [];
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one reader
    while (performance.now() - start < 2 * roundMs) times.push(await timeToLastByte(caller, next()));
    return quantile(times, 0.99);
  }
  // These have a process of their own, so that they do not delay the measurement.
  await using lists = await startProgram('list-readers', [service.ready, token, '/api/v1/persons']);
  const { values } = await alternate({ values: percentile99 }, turns);
  await stop(lists.child);
  return values;
}

/** The latency of other requests, on PostgreSQL and on the embedded database. */
export const latency: Part = {
  name: 'latency',
  histories: true,
  async run(bench) {
    const measure = 'p99 of absences during four full lists';
    const values = await latencyDuringLists(bench, bench);

    await using folder = await mkdtempDisposable(join(tmpdir(), 'hr-bench-'));
    const url = `pglite:${folder.path}` as const;
    const database = await openDatabase(url);
    const persons = Math.min(bench.persons, MAX_EMBEDDED_PERSONS);
    const company = await fillDatabase(database, url, { persons, histories: true });
    await database.close();
    const embedded = `${measure} of ${persons.toLocaleString('en')} persons, embedded`;
    return [
      amount({ measure, unit: 'ms', goal: '≤ 50' }, values),
      amount({ measure: embedded, unit: 'ms', goal: '≤ 50' }, await latencyDuringLists(company, bench)),
    ];
  },
};
