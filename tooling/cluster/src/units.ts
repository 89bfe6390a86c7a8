import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { asDatabaseUser } from './machine.ts';
import { BASE_URL, FOLDER, isRoot, POOLER, REPLICAS, SERVICE_PORTS } from './places.ts';
import { readConfig } from './read-config.ts';
import { run } from './run.ts';
import { Unit } from './unit.ts';

const require = createRequire(import.meta.url);

/** Lets the time of day jump, while timers go on. */
const FAKETIME = {
  LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};

/** The command that runs a program of an app. */
export const programOf = (app: 'service' | 'console'): readonly string[] => [
  process.execPath,
  '--conditions=@hr/source',
  require.resolve(`${app}/src/main.ts`),
];

/** A unit with a log of its name. */
export const unit = (name: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Unit =>
  new Unit({ command, env, log: join(FOLDER, `${name}.log`) });

/** The passwords of the roles of the database. */
export type Passwords = Readonly<Record<'postgres' | 'replicator' | 'hr_owner' | 'hr_service', string>>;

/** The address of the database for a role. */
export const databaseUrl = (role: keyof Passwords, passwords: Passwords, host: string): string =>
  `postgres://${role}:${passwords[role]}@${host}/hr`;

/** The folder of all that the machines and the service share. */
export async function createFolder(): Promise<void> {
  const backup = join(FOLDER, 'backup');
  await mkdir(backup, { recursive: true });
  // Each sees only what is its own in it.
  await chmod(FOLDER, 0o711);
  if (isRoot) await run(['chown', 'postgres:postgres', backup]);
}

/** A file for each process of the service: how many seconds its clock is off, such as `+7200`. */
export const clocks: readonly string[] = SERVICE_PORTS.map((port) => join(FOLDER, `clock-${port}`));

/** HAProxy, PgBouncer and the processes of the service, which have not started. */
export async function makeUnits(passwords: Passwords, hasJumpingClocks: boolean) {
  await writeFile(join(FOLDER, 'users.txt'), `"hr_service" "${passwords.hr_service}"\n`, { mode: 0o600 });
  for (const name of ['pgbouncer.ini', 'haproxy.cfg']) {
    // oxlint-disable-next-line no-await-in-loop -- two small files
    await writeFile(join(FOLDER, name), await readConfig(name, { CLUSTER: FOLDER }), { mode: 0o600 });
  }
  const files = ['users.txt', 'pgbouncer.ini', 'haproxy.cfg'].map((name) => join(FOLDER, name));
  if (isRoot) await run(['chown', 'postgres:postgres', ...files]);
  const settings = {
    HR_DATABASE: databaseUrl('hr_service', passwords, POOLER),
    HR_DATABASE_REPLICA: databaseUrl('hr_service', passwords, REPLICAS),
    HR_PUBLIC_URL: BASE_URL,
    HR_TRUSTED_PROXY: '127.0.0.1',
    HR_WEBHOOK_NETWORKS: '127.0.0.0/8',
  };
  return {
    pooler: unit('pgbouncer', asDatabaseUser(['pgbouncer', join(FOLDER, 'pgbouncer.ini')])),
    balancer: unit('haproxy', asDatabaseUser(['haproxy', '-db', '-f', join(FOLDER, 'haproxy.cfg')])),
    services: SERVICE_PORTS.map((port, index) =>
      unit(`service-${index + 1}`, [...programOf('service'), 'serve'], {
        ...settings,
        ...(hasJumpingClocks && { ...FAKETIME, FAKETIME_TIMESTAMP_FILE: clocks[index] }),
        HR_PORT: String(port),
      }),
    ),
  };
}
