import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { addresses, asDatabaseUser, closeNetwork, isRoot, Machine, openNetwork } from './machine.ts';
import { checkPrograms, postgresqlFolder } from './programs.ts';
import { readConfig, variablesOf } from './read-config.ts';
import { run } from './run.ts';
import { Unit } from './unit.ts';
import { until } from './wait.ts';

const FOLDER = join(tmpdir(), 'hr-cluster');
const SERVICES = 3;
const PRIMARY = '127.0.0.1:5000';
const REPLICAS = '127.0.0.1:5001';
const POOLER = '127.0.0.1:6432';
/** Where clients reach the service. */
export const BASE_URL = 'http://127.0.0.1:4010';
const CONSOLE_URL = 'http://127.0.0.1:4020';
const START_SECONDS = 180;

/** Lets the time of day jump, and timers go on. */
const FAKETIME = {
  LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};

const require = createRequire(import.meta.url);
const node = [process.execPath, '--conditions=@hr/source'];

/** A client of the service. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ClusterOptions {
  /** Whether the clocks of the service follow the files `clocks`, by Debian's package faketime. */
  readonly jumpingClocks?: boolean;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** Everything that a company runs, on this machine. */
export class Cluster implements AsyncDisposable {
  readonly machines: readonly Machine[];
  readonly services: readonly Unit[];
  readonly pooler: Unit;
  /** A file for each process of the service: how many seconds its clock is off, such as `+7200`. */
  readonly clocks: readonly string[] = clocks;
  /** The folder of all its data. It is deleted when the next one starts. */
  readonly folder = FOLDER;
  readonly #balancer: Unit;
  readonly #passwords: Readonly<Record<string, string>>;
  #console: Unit | undefined;

  private constructor(
    machines: readonly Machine[],
    units: { readonly balancer: Unit; readonly pooler: Unit; readonly services: readonly Unit[] },
    passwords: Readonly<Record<string, string>>,
  ) {
    this.machines = machines;
    this.#balancer = units.balancer;
    this.pooler = units.pooler;
    this.services = units.services;
    this.#passwords = passwords;
  }

  /** Starts a new cluster, without anything of an earlier one. */
  static async start(report: (step: string) => void, options: ClusterOptions = {}): Promise<Cluster> {
    checkPrograms();
    const passwords = Object.fromEntries(
      ['postgres', 'replicator', 'hr_owner', 'hr_service'].map((role) => [role, randomBytes(24).toString('hex')]),
    );
    const machines = await makeMachines(passwords);
    await Promise.all([5000, 5001, 6432, 4010, 4011, 4012, 4013, 4020].map(checkPort));
    const cluster = new Cluster(machines, await makeUnits(passwords, options), passwords);
    try {
      await cluster.#open(report);
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #open(report: (step: string) => void): Promise<void> {
    report('Starting etcd and PostgreSQL with Patroni, three of each');
    for (const machine of this.machines) machine.boot();
    this.#balancer.start();
    this.pooler.start();
    await this.untilReplicated();
    report('Creating the database and its first backup');
    await this.#createDatabase();
    const leader = await this.leader();
    await leader.run(['pgbackrest', '--stanza=hr', 'stanza-create']);
    await leader.run(['pgbackrest', '--stanza=hr', 'backup']);
    report('Starting three processes of the service, and the console');
    for (const unit of this.services) unit.start();
    await this.untilServed();
    await this.#startConsole();
  }

  async #createDatabase(): Promise<void> {
    const { hr_owner: owner, hr_service: service } = this.#passwords;
    await this.sql(`create role hr_owner login password '${owner}'`);
    await this.sql(`create role hr_service login password '${service}'`);
    await this.sql(`alter role hr_service set statement_timeout = '20s'`);
    await this.sql(`alter role hr_service set lock_timeout = '4s'`);
    await this.sql('create database hr owner hr_owner');
    await this.service(['migrate'], 'hr_owner');
    await this.sql(
      `grant usage on schema public to hr_service;
      grant select, insert, update, delete on all tables in schema public to hr_service;
      alter default privileges in schema public grant select, insert, update, delete on tables to hr_service;
      revoke update, delete on audit_event, audit_block from hr_service;
      revoke insert, update, delete on migration from hr_service`,
      'hr_owner',
    );
  }

  async #startConsole(): Promise<void> {
    const [reader, operator] = [
      await this.createClient('console', 'api:use'),
      await this.createClient('console-operator', 'operator'),
    ];
    const env = {
      HR_BASE_URL: BASE_URL,
      HR_CLIENT_ID: reader.clientId,
      HR_CLIENT_SECRET: reader.clientSecret,
      HR_OPERATOR_CLIENT_ID: operator.clientId,
      HR_OPERATOR_CLIENT_SECRET: operator.clientSecret,
      HR_CONSOLE_DATA: join(FOLDER, 'console'),
    };
    const command = [...node, require.resolve('console/src/main.ts')];
    this.#console = new Unit({ command: [...command, 'serve'], env, log: join(FOLDER, 'console.log') });
    this.#console.start();
    await until('The console', async () => (await fetch(`${CONSOLE_URL}/livez`)).ok, START_SECONDS);
    const grant = ['--roles', 'viewer,editor,approver,operator,pay,birth,everyone'];
    await run([...command, 'people', 'add', 'admin', '--name', 'Admin', ...grant], { env });
  }

  /** A link that signs in to the console. */
  async signIn(): Promise<string> {
    const command = [...node, require.resolve('console/src/main.ts'), 'link', 'admin'];
    return (await run(command, { env: { HR_CONSOLE_DATA: join(FOLDER, 'console') } })).trim();
  }

  /** The address of the primary for a role. */
  url(role = 'hr_service', host = PRIMARY): string {
    return databaseUrl(role, this.#passwords, host);
  }

  /** Runs SQL on the primary. */
  async sql<Row extends object>(text: string, role = 'postgres'): Promise<Row[]> {
    const client = new Client({
      connectionString: role === 'postgres' ? this.url(role).replace(/hr$/, role) : this.url(role),
    });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a command of the service, on the primary without the pooler. */
  service(args: readonly string[], role = 'hr_service', input?: string): Promise<string> {
    const env = { HR_DATABASE: this.url(role) };
    return run([...node, require.resolve('service/src/main.ts'), ...args], {
      env,
      ...(input !== undefined && { input }),
    });
  }

  async createClient(name: string, scope: string): Promise<Credentials> {
    const printed = await this.service(['clients', 'create', '--name', name, '--scope', scope, '--json']);
    return JSON.parse(printed) as Credentials;
  }

  /** Replaces the processes of the service, one after the other. */
  async roll(): Promise<void> {
    for (const unit of this.services) {
      // oxlint-disable no-await-in-loop -- one after the other
      await unit.stop();
      unit.start();
      await this.untilServed();
      // oxlint-enable no-await-in-loop
    }
  }

  /** Makes the synchronous standby the primary, as for maintenance. */
  async switchOver(): Promise<void> {
    const [leader, standby] = [await this.leader(), await this.synchronousStandby()];
    const response = await fetch(`http://${leader.address}:8008/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name, candidate: standby.name }),
    });
    if (!response.ok) throw new Error(`Patroni does not switch over: ${await response.text()}`);
  }

  /** What Patroni says of its members. */
  async members(): Promise<readonly Member[]> {
    const answers = this.machines.map(async ({ address }) => {
      const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2000) });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(answers);
  }

  /** The machine with the primary. */
  leader(): Promise<Machine> {
    return this.#machineOf('leader');
  }

  synchronousStandby(): Promise<Machine> {
    return this.#machineOf('sync_standby');
  }

  #machineOf(role: string): Promise<Machine> {
    return until(`A machine with the role ${role}`, async () => {
      const member = (await this.members()).find((each) => each.role === role);
      return this.machines.find(({ name }) => name === member?.name);
    });
  }

  /** Waits until there is a leader, and two standbys that follow it, one of them synchronously. */
  async untilReplicated(): Promise<void> {
    await until(
      'A leader with two standbys',
      async () => {
        const roles = (await this.members()).flatMap(({ role, state }) =>
          ['running', 'streaming'].includes(state) ? [role] : [],
        );
        if (roles.toSorted().join(' ') !== 'leader replica sync_standby') return false;
        const standbys = await this.sql<{ state: string }>('select state from pg_stat_replication');
        return standbys.filter(({ state }) => state === 'streaming').length >= 2;
      },
      START_SECONDS,
    );
  }

  /** Waits until all processes of the service are ready, for the balancer, too. */
  async untilServed(): Promise<void> {
    for (const port of servicePorts) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await until('The service', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, START_SECONDS);
    }
    await until('The balancer', async () => (await fetch(`${BASE_URL}/readyz`)).ok);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const units = [...this.services, this.pooler, this.#balancer, ...(this.#console ? [this.#console] : [])];
    await Promise.all(units.map((unit) => unit.stop()));
    await Promise.all(this.machines.map((machine) => machine.remove()));
    await closeNetwork();
  }
}

const clocks = Array.from({ length: SERVICES }, (_, index) => join(FOLDER, `clock-${index + 1}`));
const servicePorts = Array.from({ length: SERVICES }, (_, index) => 4011 + index);

function databaseUrl(role: string, passwords: Readonly<Record<string, string>>, host: string): string {
  return `postgres://${role}:${passwords[role]}@${host}/hr`;
}

async function makeMachines(passwords: Readonly<Record<string, string>>): Promise<readonly Machine[]> {
  const machines = [];
  for (const name of Object.keys(addresses)) {
    const values = {
      NODE: name,
      CLUSTER: FOLDER,
      STATE: join(FOLDER, name),
      POSTGRESQL: postgresqlFolder(),
      SUPERUSER_PASSWORD: passwords['postgres'] ?? '',
      REPLICATION_PASSWORD: passwords['replicator'] ?? '',
    };
    // oxlint-disable-next-line no-await-in-loop -- three small files
    const [etcd, ...files] = await Promise.all(
      ['etcd.env', 'patroni.yml', 'pgbackrest.conf'].map((file) => readConfig(file, values)),
    );
    machines.push({ machine: new Machine(name, FOLDER, variablesOf(etcd ?? '')), files });
  }
  // Also what an earlier cluster has left that was killed.
  for (const { machine } of machines) await machine.remove();
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(join(FOLDER, 'backup'), { recursive: true });
  // Only the folders of the machines are theirs.
  await chmod(FOLDER, 0o711);
  if (isRoot) await run(['chown', 'postgres:postgres', join(FOLDER, 'backup')]);
  await openNetwork();
  for (const { machine, files } of machines) {
    await machine.create();
    await machine.write('patroni.yml', files[0] ?? '');
    await machine.write('pgbackrest.conf', files[1] ?? '');
  }
  return machines.map(({ machine }) => machine);
}

async function makeUnits(passwords: Readonly<Record<string, string>>, { jumpingClocks = false }: ClusterOptions) {
  const values = { CLUSTER: FOLDER };
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(FOLDER, name);
    await writeFile(path, text, { mode: 0o600 });
    if (isRoot) await run(['chown', 'postgres:postgres', path]);
    return path;
  };
  const unit = (name: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Unit =>
    new Unit({ command, env, log: join(FOLDER, `${name}.log`) });
  await write('users.txt', `"hr_service" "${passwords['hr_service']}"\n`);
  const pgbouncer = await write('pgbouncer.ini', await readConfig('pgbouncer.ini', values));
  const haproxy = await write('haproxy.cfg', await readConfig('haproxy.cfg', values));
  const settings = {
    HR_DATABASE: databaseUrl('hr_service', passwords, POOLER),
    HR_DATABASE_REPLICA: databaseUrl('hr_service', passwords, REPLICAS),
    HR_PUBLIC_URL: BASE_URL,
    HR_TRUSTED_PROXY: '127.0.0.1',
    HR_WEBHOOK_NETWORKS: '127.0.0.0/8',
  };
  return {
    pooler: unit('pgbouncer', asDatabaseUser(['pgbouncer', pgbouncer])),
    balancer: unit('haproxy', asDatabaseUser(['haproxy', '-db', '-f', haproxy])),
    services: servicePorts.map((port, index) =>
      unit(`service-${index + 1}`, [...node, require.resolve('service/src/main.ts'), 'serve'], {
        ...settings,
        ...(jumpingClocks && { ...FAKETIME, FAKETIME_TIMESTAMP_FILE: clocks[index] }),
        HR_PORT: String(port),
      }),
    ),
  };
}

/** Rejects if something listens on a port of this machine. */
async function checkPort(port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', () => reject(new Error(`Port ${port} is in use: end the program that listens on it.`)));
      server.listen(port, '127.0.0.1', resolve);
    });
  } finally {
    server.close();
  }
}
