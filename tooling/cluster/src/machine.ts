import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addresses, FOLDER, isRoot, NETWORK } from './places.ts';
import { postgresqlFolder } from './programs.ts';
import { readConfig, variablesOf } from './read-config.ts';
import { run } from './run.ts';
import { Unit } from './unit.ts';

const BRIDGE = 'hr-cluster';
const DISK = '3g';

/** The network that the machines share with this one. */
export async function openNetwork(): Promise<void> {
  if (!isRoot) return;
  await closeNetwork();
  await run(['ip', 'link', 'add', BRIDGE, 'type', 'bridge']);
  await run(['ip', 'address', 'add', `${NETWORK}.1/24`, 'dev', BRIDGE]);
  await run(['ip', 'link', 'set', BRIDGE, 'up']);
}

export async function closeNetwork(): Promise<void> {
  if (isRoot) await run(['ip', 'link', 'delete', BRIDGE]).catch(() => {});
}

/** A command that runs as the user of the database, who is never root. */
export const asDatabaseUser = (command: readonly string[]): readonly string[] =>
  isRoot
    ? ['setpriv', '--pdeathsig=KILL', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
    : command;

/** A machine of the database: etcd, Patroni and PostgreSQL. As root it has its own network and a small disk. */
export class Machine {
  readonly name: string;
  readonly address: string;
  /** The folder with all its data. */
  readonly state: string;
  readonly #etcd: Unit;
  readonly #patroni: Unit;
  readonly #files: ReadonlyMap<string, string>;

  private constructor(name: string, files: ReadonlyMap<string, string>) {
    this.name = name;
    this.address = addresses[name] ?? '';
    this.state = join(FOLDER, name);
    this.#files = files;
    const unit = (program: string, command: readonly string[], env: NodeJS.ProcessEnv): Unit =>
      new Unit({ command: this.#command(command), env, log: join(FOLDER, `${name}-${program}.log`) });
    this.#etcd = unit('etcd', ['etcd'], variablesOf(files.get('etcd.env') ?? ''));
    this.#patroni = unit('patroni', ['patroni', join(this.state, 'patroni.yml')], this.#environment);
  }

  /** Reads its configuration. Nothing exists before `create`. */
  static async configure(name: string, passwords: { readonly postgres: string; readonly replicator: string }) {
    const values = {
      NODE: name,
      CLUSTER: FOLDER,
      STATE: join(FOLDER, name),
      POSTGRESQL: postgresqlFolder(),
      SUPERUSER_PASSWORD: passwords.postgres,
      REPLICATION_PASSWORD: passwords.replicator,
    };
    const files = ['etcd.env', 'patroni.yml', 'pgbackrest.conf'].map(
      async (file) => [file, await readConfig(file, values)] as const,
    );
    return new Machine(name, new Map(await Promise.all(files)));
  }

  /** Runs a command on this machine to its end. */
  run(command: readonly string[], input?: string): Promise<string> {
    return run(this.#command(command), { env: this.#environment, ...(input !== undefined && { input }) });
  }

  #command(command: readonly string[]): readonly string[] {
    return [...(isRoot ? ['ip', 'netns', 'exec', this.name] : []), ...asDatabaseUser(command)];
  }

  /** Real machines have the file in /etc. */
  get #environment(): NodeJS.ProcessEnv {
    return { PGBACKREST_CONFIG: join(this.state, 'pgbackrest.conf') };
  }

  /** Makes its disk and network. */
  async create(): Promise<void> {
    await mkdir(this.state, { recursive: true, mode: 0o700 });
    if (isRoot) await this.#createOwn();
    const write = async ([file, text]: readonly [string, string]): Promise<void> => {
      const path = join(this.state, file);
      await writeFile(path, text, { mode: 0o600 });
      if (isRoot) await run(['chown', 'postgres:postgres', path]);
    };
    await Promise.all([...this.#files].map(write));
  }

  async #createOwn(): Promise<void> {
    await run(['mount', '-t', 'tmpfs', '-o', `size=${DISK},mode=700`, 'tmpfs', this.state]);
    await run(['chown', 'postgres:postgres', this.state]);
    await run(['ip', 'netns', 'add', this.name]);
    await run(['ip', 'link', 'add', this.name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.name]);
    await run(['ip', 'link', 'set', this.name, 'master', BRIDGE, 'up']);
    const inside = ['ip', '-netns', this.name];
    await run([...inside, 'address', 'add', `${this.address}/24`, 'dev', 'eth0']);
    await run([...inside, 'link', 'set', 'eth0', 'up']);
    await run([...inside, 'link', 'set', 'lo', 'up']);
  }

  /** Ends all its programs and deletes everything, also of an earlier cluster. */
  async remove(): Promise<void> {
    await this.crash();
    if (isRoot) {
      await run(['ip', 'netns', 'delete', this.name]).catch(() => {});
      await run(['umount', this.state]).catch(() => {});
    }
    await rm(this.state, { recursive: true, force: true });
  }

  /** Turns the machine on. */
  boot(): void {
    this.#etcd.start();
    this.#patroni.start();
  }

  /** Ends all its programs at once, as a power failure does. */
  async crash(): Promise<void> {
    const stopped = [this.#etcd, this.#patroni].map((unit) => unit.stop('SIGKILL'));
    await this.#signal('SIGKILL');
    await Promise.all(stopped);
    // Between the two, Patroni may have started another program.
    await this.#signal('SIGKILL');
  }

  /** Stops all its programs where they are. Other machines see a host that does not answer. */
  freeze(): Promise<void> {
    return this.#signal('SIGSTOP');
  }

  thaw(): Promise<void> {
    return this.#signal('SIGCONT');
  }

  /** Unplugs the network cable. */
  async cutOff(): Promise<void> {
    await run(['ip', 'link', 'set', this.name, 'down']);
  }

  async reconnect(): Promise<void> {
    await run(['ip', 'link', 'set', this.name, 'up']);
  }

  async fillDisk(): Promise<void> {
    // It fails when the disk is full.
    await run(['dd', 'if=/dev/zero', `of=${join(this.state, 'ballast')}`, 'bs=64k']).catch(() => {});
  }

  async freeDisk(): Promise<void> {
    await rm(join(this.state, 'ballast'), { force: true });
  }

  /** Kills PostgreSQL alone: Patroni decides what happens next. */
  async killPostgres(): Promise<void> {
    const pid = await this.#postmaster();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }

  async stopEtcd(): Promise<void> {
    await this.#etcd.stop('SIGKILL');
  }

  startEtcd(): void {
    this.#etcd.start();
  }

  /** Ends Patroni, and with it PostgreSQL, in order. */
  async stopPatroni(): Promise<void> {
    await this.#patroni.stop();
  }

  startPatroni(): void {
    this.#patroni.start();
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    for (const pid of await this.#pids()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }

  async #pids(): Promise<number[]> {
    if (isRoot)
      return (await run(['ip', 'netns', 'pids', this.name]).catch(() => '')).split('\n').filter(Boolean).map(Number);
    // Patroni and etcd are stopped as units; PostgreSQL ends with its postmaster.
    const pid = await this.#postmaster();
    return pid === undefined ? [] : [pid];
  }

  async #postmaster(): Promise<number | undefined> {
    const [pid] = (await readFile(join(this.state, 'data/postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    return pid ? Number(pid) : undefined;
  }
}
