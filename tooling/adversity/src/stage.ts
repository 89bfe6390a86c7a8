import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import getPort from 'get-port';
import { grantClient } from 'service/src/clients/client-grants.ts';
import type { ClientCredentials } from 'service/src/clients/clients.ts';
import type { DatabaseUrl } from 'service/src/database/open-database.ts';
import { administer, copyDatabase, copyFolder, type Driver, type TestDatabase } from 'service/test/drivers.ts';
import { canaryFeed } from 'service/test/fuzz/canaries.ts';
import { makeSecrets, placeholders, type Secrets } from 'service/test/fuzz/secrets.ts';
import { embeddedServer } from 'service/test/postgres-server.ts';
import { contractRecords, load, startService } from 'service/test/service.ts';
import { LANES, WRITERS } from './steps.ts';

const ROOM = { pglite: '512m', postgres: '1g' } as const;
const TOKEN_SECONDS = '86400';

/** What each run of steps begins with: a database to copy, in which clients and persons are. */
export interface Stage extends AsyncDisposable {
  readonly driver: Driver;
  /** Where all databases are. */
  readonly folder: string;
  /** Whether nothing else is on its disk. */
  readonly hasOwnDisk: boolean;
  /** The clients of each lane. */
  readonly secrets: readonly Secrets[];
  /** Puts placeholders where secrets are. */
  readonly hide: (text: string) => string;
  /** The clients of the console. */
  readonly console: { readonly reader: ClientCredentials; readonly operator: ClientCredentials };
  readonly newDatabase: () => Promise<TestDatabase>;
  readonly postgres: Postgres | undefined;
}

/** A PostgreSQL to mistreat. */
interface Postgres {
  readonly url: string;
  readonly query: (statement: string) => Promise<void>;
  readonly kill: () => Promise<void>;
  /** Starts it, and waits until it answers. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Settings of the service that all of its processes have. */
export const settings = { HR_TOKEN_TTL_SECONDS: TOKEN_SECONDS, HR_TIME_ZONE: 'UTC', HR_LOG_LEVEL: 'debug' };

export async function openStage(driver: Driver, note: (line: string) => void): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'hr-adversity-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const hasOwnDisk = mountDisk(folder, ROOM[driver]);
  if (hasOwnDisk) resources.defer(() => void execFileSync('umount', ['--lazy', folder]));
  else note('Full disks are skipped: to mount a small file system takes root and the right to mount.');
  // PostgreSQL runs under a user of its own where this runs as root.
  await chmod(folder, 0o755);
  const postgres = driver === 'postgres' ? await startPostgres(folder) : undefined;
  if (postgres) resources.defer(() => postgres.stop());
  const template = join(folder, 'template');
  const url = (postgres ? `${postgres.url}/template_hr` : `pglite:${template}`) as DatabaseUrl;
  await postgres?.query('create database template_hr');
  const service = await startService(driver, { HR_DATABASE: url, ...settings, HR_LOG_LEVEL: 'silent' });
  await load(service.database, [
    ...canaryFeed,
    ...Array.from({ length: WRITERS }, (_, lane) => contractRecords(`ledger-${lane}`, `ledger-c-${lane}`)).flat(),
  ]);
  const secrets: Secrets[] = [];
  for (let lane = 0; lane < LANES; lane++) {
    // oxlint-disable-next-line no-await-in-loop -- the clients of one lane after the other
    secrets.push(await makeSecrets(service));
  }
  const console = { reader: await service.client(), operator: await service.client('operator') };
  const grants = [
    [secrets[WRITERS]?.fill(placeholders.clientId), { systems: ['master'] }],
    [secrets[WRITERS + 1]?.fill(placeholders.clientId), { fields: ['id', 'lastName', 'bankDetails', 'keyNumber'] }],
    [console.reader.clientId, { actsForPeople: true }],
  ] as const;
  await Promise.all(grants.map(([id = '', grant]) => grantClient(service.database, id, grant)));
  await service.stop();
  const open = resources.move();
  return {
    driver,
    folder,
    hasOwnDisk,
    secrets,
    hide(text) {
      const hidden = secrets.reduce((left, each) => each.hide(left), text);
      return hidden
        .replaceAll(console.reader.clientSecret, '~console-secret~')
        .replaceAll(console.operator.clientSecret, '~console-secret~');
    },
    console,
    newDatabase: () => (postgres ? copyDatabase('template_hr', postgres.url) : copyFolder(template)),
    postgres,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function mountDisk(folder: string, size: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function startPostgres(folder: string): Promise<Postgres> {
  const data = join(folder, 'postgres');
  await mkdir(data);
  const port = await getPort({ host: '127.0.0.1' });
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`;
  const server = embeddedServer(join(data, 'data'), port, ['max_connections=100']);
  await chmod(data, 0o755);
  await server.initialise();

  const query = (statement: string): Promise<void> => administer(url, statement);
  async function restart(): Promise<void> {
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until it answers
        return await query('select');
      } catch {
        // What it left behind may still end, and its disk may be full for a moment.
        // oxlint-disable-next-line no-await-in-loop
        await server.start().catch(() => setTimeout(100));
      }
    }
  }
  await server.start();
  return {
    url,
    query,
    restart,
    async kill() {
      const [pid = ''] = (await readFile(join(data, 'data', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    stop: () => server.stop(),
  };
}
