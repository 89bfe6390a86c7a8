import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase, type DatabaseUrl } from 'service/src/database/open-database.ts';
import { alternate, milliseconds } from '../alternate.ts';
import { amount, quantile, ratio } from '../figures.ts';
import { fillDatabase, inTurn, openPool } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { memoryOf, startProgram, startService, stop } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';
import { startPostgres } from '../start-postgres.ts';

const names = Array.from({ length: 200 }, (_, index) => `environment_${index}`);
const hostOf = (name = ''): string => `${name.replace('_', '-')}.example`;
const READERS = '100';

/** Many environments of one process, each with a copy of a small company in a database of its own. */
export const environments: Part = {
  name: 'environments',
  async run({ turns, roundMs }) {
    // Each list takes two connections for a moment: one to check its token.
    const postgres = await startPostgres(['max_connections=500']);
    const urlOf = (name: string): DatabaseUrl => postgres.url.replace(/\w+$/, name) as DatabaseUrl;
    const template = await openDatabase(urlOf('template1'));
    const { token, paths } = await fillDatabase(template, '', { persons: 100, histories: true });
    await template.close();
    const pool = openPool(postgres.url);
    // oxlint-disable-next-line no-await-in-loop -- two copies of a template at a time are refused
    for (const name of names) await pool.query(`create database ${name}`);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'hr-bench-'));
    const HR_ENVIRONMENTS = join(folder.path, 'environments.json');

    async function startAndRest(of: readonly string[]) {
      const entries = of.map((name) => ({ host: hostOf(name), database: urlOf(name) }));
      await writeFile(HR_ENVIRONMENTS, JSON.stringify(entries), { mode: 0o600 });
      const service = await startService('', { HR_ENVIRONMENTS });
      let most = 0;
      // oxlint-disable no-await-in-loop -- again and again
      for (let quiet = 0; quiet < 20; await wait(roundMs / 10)) {
        const { rows } = await pool.query(`select from pg_stat_activity where datname like 'environment_%'`);
        most = Math.max(most, rows.length);
        quiet = rows.length === 0 ? quiet + 1 : 0;
      }
      // oxlint-enable no-await-in-loop
      return { service, most, megabytes: await memoryOf(service.child) };
    }

    const single = await startAndRest(names.slice(0, 1));
    await stop(single.service.child);
    const { service, most, megabytes } = await startAndRest(names);
    const callers = names.map((name) => ({ origin: service.ready, token, host: hostOf(name) }));
    const lists = () => Promise.all(callers.map((caller) => timeToLastByte(caller, '/api/v1/persons')));
    const listsMs = await milliseconds(lists);

    const next = inTurn(paths.absences);
    const [loaded, quiet] = callers as [(typeof callers)[0], (typeof callers)[0]];
    async function median(): Promise<number> {
      const times: number[] = [];
      const start = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one reader
      while (performance.now() - start < 2 * roundMs) times.push(await timeToLastByte(quiet, next()));
      return quantile(times, 0.5);
    }
    async function besideLoad(): Promise<number> {
      await using _ = await startProgram('list-readers', [service.ready, token, next(), READERS, loaded.host]);
      await wait(roundMs);
      return median();
    }
    const times = await alternate({ alone: median, beside: besideLoad }, turns);
    await stop(service.child);
    await pool.end();
    await postgres.stop();
    const each = (megabytes - single.megabytes) / (names.length - 1);
    const beside = { measure: `reads beside ${READERS} readers of another environment`, against: 'alone' };
    return [
      amount({ measure: 'memory of an idle environment', unit: 'MB', goal: '≤ 2' }, [each]),
      amount({ measure: `connections while ${names.length} start`, unit: '', goal: '≤ 20' }, [most]),
      amount({ measure: `first list of ${names.length} at once`, unit: 's', goal: '≤ 10' }, [listsMs / 1000]),
      ratio({ ...beside, goal: '≤ 10' }, times.beside, times.alone),
    ];
  },
};
