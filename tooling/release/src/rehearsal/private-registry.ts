import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import { installed } from '../installed.ts';
import { run } from '../run.ts';

/** A private registry as a company has it: its own packages are for who signs in, other people's come through it. */
export interface PrivateRegistry {
  readonly url: string;
  /** Of its users: one may publish, the other may only install. */
  readonly tokens: { readonly publisher: string; readonly reader: string };
  /** The requests it sent to the registry behind it. */
  requestsBehind(): Promise<readonly SentRequest[]>;
  /** What went wrong in it, or behind it. */
  warnings(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

interface SentRequest {
  readonly method: string;
  readonly url: string;
}

/** A line of its log, as far as anybody looks at it. */
interface LogEntry {
  readonly level: number;
  readonly method?: string;
  readonly uri?: string;
}

const WARNING = 40;
const SCOPE = '@hr/*';
const POLL_MS = 50;
const MOST_POLLS = 600;

/** Starts a Verdaccio on a free port of this machine, empty, with all it has in a folder. */
export async function startPrivateRegistry(folder: string): Promise<PrivateRegistry> {
  await mkdir(folder);
  const behind = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).trim();
  const log = join(folder, 'log.ndjson');
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(settings(behind, log)));

  const port = await getPort({ host: '127.0.0.1' });
  const args = [
    installed('verdaccio/bin/verdaccio'),
    '--config',
    join(folder, 'config.yaml'),
    '--listen',
    `127.0.0.1:${port}`,
  ];
  const server = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/`;
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
  };
  try {
    await answering(url, () => server.exitCode !== null);
    return {
      url,
      tokens: { publisher: await newUser(url, 'publisher'), reader: await newUser(url, 'reader') },
      requestsBehind: async () => sentRequests(await entriesOf(log)),
      warnings: async () => warningsIn(await entriesOf(log)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settings(behind: string, log: string): object {
  return {
    storage: './storage',
    auth: { htpasswd: { file: './htpasswd', max_users: 2 } },
    // On a machine with much to do two slow answers must not be taken for the end of the registry behind.
    uplinks: { behind: { url: behind, timeout: '2m', max_fails: 1000 } },
    packages: {
      // No `proxy`: nobody behind it is ever asked for them, or given them.
      [SCOPE]: { access: '$authenticated', publish: 'publisher', unpublish: 'publisher' },
      '**': { access: '$all', publish: 'nobody', proxy: 'behind' },
    },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'file', path: log, format: 'json', level: 'info' },
  };
}

async function newUser(registry: string, name: string): Promise<string> {
  const answer = await fetch(`${registry}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  if (answer.status !== 201) throw new Error(`The registry answered ${answer.status} to a new user.`);
  const { token } = (await answer.json()) as { token: string };
  return token;
}

async function entriesOf(log: string): Promise<LogEntry[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

/** What the log says of requests that went out. */
function sentRequests(entries: readonly LogEntry[]): SentRequest[] {
  return entries.flatMap(({ method, uri }) => (method && uri ? [{ method, url: uri }] : []));
}

function warningsIn(entries: readonly LogEntry[]): string[] {
  return entries.filter(({ level }) => level >= WARNING).map((entry) => JSON.stringify(entry));
}

async function answering(url: string, hasEnded: () => boolean): Promise<void> {
  for (let poll = 0; poll < MOST_POLLS && !hasEnded(); poll += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok) return;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await wait(POLL_MS);
  }
  throw new Error('The registry did not start; run Verdaccio with its config.yaml to see why.');
}
