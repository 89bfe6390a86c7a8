import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { closeNetwork, Machine, openNetwork } from './machine.ts';
import { addresses, BASE_URL, CONSOLE_URL, FOLDER, PORTS, PRIMARY, SERVICE_PORTS } from './places.ts';
import { checkPrograms } from './programs.ts';
import { run } from './run.ts';
import type { Unit } from './unit.ts';
import { createFolder, databaseUrl, makeUnits, programOf, unit, type Passwords } from './units.ts';
import { until } from './wait.ts';

const START_SECONDS = 180;
const INTERRUPTED = 130;
/** What a command of the console needs, too. */
const consoleSettings = { HR_BASE_URL: BASE_URL, HR_CONSOLE_DATA: join(FOLDER, 'console') };

const newPassword = (): string => randomBytes(24).toString('hex');

/** A client of the service. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Everything that a company runs, on this machine. */
export class Cluster implements AsyncDisposable {
  readonly machines: readonly Machine[];
  readonly services: readonly Unit[];
  readonly pooler: Unit;
  readonly #balancer: Unit;
  #console: Unit | undefined;
  readonly #passwords: Passwords;

  private constructor(
    machines: readonly Machine[],
    units: Awaited<ReturnType<typeof makeUnits>>,
    passwords: Passwords,
  ) {
    this.machines = machines;
    this.#balancer = units.balancer;
    this.pooler = units.pooler;
    this.services = units.services;
    this.#passwords = passwords;
  }

  /** Starts a new cluster, without anything of an earlier one. */
  static async start(report: (step: string) => void, { hasJumpingClocks = false } = {}): Promise<Cluster> {
    checkPrograms();
    const passwords = {
      postgres: newPassword(),
      replicator: newPassword(),
      hr_owner: newPassword(),
      hr_service: newPassword(),
    };
    const machines = await Promise.all(Object.keys(addresses).map((name) => Machine.configure(name, passwords)));
    await Promise.all(machines.map((machine) => machine.remove()));
    await Promise.all(PORTS.map(checkPort));
    await rm(FOLDER, { recursive: true, force: true });
    await createFolder();
    const cluster = new Cluster(machines, await makeUnits(passwords, hasJumpingClocks), passwords);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        report('Stopping');
        void cluster[Symbol.asyncDispose]().finally(() => process.exit(INTERRUPTED));
      });
    }
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
    await openNetwork();
    await Promise.all(this.machines.map((machine) => machine.create()));
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
    for (const each of this.services) each.start();
    await this.untilServed();
    await this.#startConsole();
  }

  async #createDatabase(): Promise<void> {
    const { hr_owner: owner, hr_service: service } = this.#passwords;
    await this.sql(
      `create role hr_owner login password '${owner}';
      create role hr_service login password '${service}';
      alter role hr_service set statement_timeout = '20s';
      alter role hr_service set lock_timeout = '4s'`,
    );
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
    const reader = await this.createClient('console', 'api:use');
    const operator = await this.createClient('console-operator', 'operator');
    this.#console = unit('console', [...programOf('console'), 'serve'], {
      ...consoleSettings,
      HR_CLIENT_ID: reader.clientId,
      HR_CLIENT_SECRET: reader.clientSecret,
      HR_OPERATOR_CLIENT_ID: operator.clientId,
      HR_OPERATOR_CLIENT_SECRET: operator.clientSecret,
    });
    this.#console.start();
    await until('The console', async () => (await fetch(`${CONSOLE_URL}/livez`)).ok, START_SECONDS);
    const roles = ['--roles', 'viewer,editor,approver,operator,pay,birth,everyone'];
    await this.#runConsole(['people', 'add', 'admin', '--name', 'Admin', ...roles]);
  }

  #runConsole(args: readonly string[]): Promise<string> {
    return run([...programOf('console'), ...args], { env: consoleSettings });
  }

  /** A link that signs in to the console. */
  async signIn(): Promise<string> {
    return (await this.#runConsole(['link', 'admin'])).trim();
  }

  /** The address of the primary for a role. */
  url(role: keyof Passwords = 'hr_service'): string {
    return databaseUrl(role, this.#passwords, PRIMARY);
  }

  /** Runs SQL on the primary, by default as a superuser on the database `postgres`. */
  async sql<Row extends object>(text: string, role: keyof Passwords = 'postgres'): Promise<Row[]> {
    const url = new URL(this.url(role));
    if (role === 'postgres') url.pathname = role;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a command of the service, on the primary without the pooler. */
  service(args: readonly string[], role: keyof Passwords = 'hr_service'): Promise<string> {
    return run([...programOf('service'), ...args], { env: { HR_DATABASE: this.url(role) } });
  }

  /** Imports records of a feed. */
  import(records: readonly object[]): Promise<string> {
    const input = records.map((record) => JSON.stringify(record)).join('\n');
    return run([...programOf('service'), 'import', '-'], { env: { HR_DATABASE: this.url() }, input });
  }

  async createClient(name: string, scope: string): Promise<Credentials> {
    const printed = await this.service(['clients', 'create', '--name', name, '--scope', scope, '--json']);
    return JSON.parse(printed) as Credentials;
  }

  /** Replaces the processes of the service, one after the other. */
  async roll(): Promise<void> {
    for (const each of this.services) {
      // oxlint-disable no-await-in-loop -- one after the other
      await each.stop();
      each.start();
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
    for (const port of SERVICE_PORTS) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await until('The service', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, START_SECONDS);
    }
    await until('The balancer', async () => (await fetch(`${BASE_URL}/readyz`)).ok);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const units = [...this.services, this.pooler, this.#balancer, this.#console];
    await Promise.all(units.map(async (each) => each?.stop()));
    await Promise.all(this.machines.map((machine) => machine.remove()));
    await closeNetwork();
  }
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
