import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { installed } from '../installed.ts';
import { run } from '../run.ts';

/** A private registry as a company has it: its own packages are for who signs in, other people's come through it. */
export interface PrivateRegistry {
  readonly url: string;
  /** Of its users: one may publish, the other may only install. */
  readonly tokens: { readonly publisher: string; readonly reader: string };
  /** The requests it sent to the registry behind it. */
  requestsBehind(): Promise<readonly SentRequest[]>;
  stop(): Promise<void>;
}

interface SentRequest {
  readonly method: string;
  readonly url: string;
}

const SCOPE = '@hr/*';
const POLL_MS = 50;
const MOST_POLLS = 600;

/** Starts a Verdaccio on a free port of this machine, empty, with all it has in a folder. */
export async function startPrivateRegistry(folder: string): Promise<PrivateRegistry> {
  await mkdir(folder);
  const behind = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).trim();
  const log = join(folder, 'log.ndjson');
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(settings(behind, log)));

  const port = await freePort();
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
      requestsBehind: async () => sentRequests(await readFile(log, 'utf8')),
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
    uplinks: { behind: { url: behind } },
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

/** The lines of the log on requests that went out. */
function sentRequests(log: string): SentRequest[] {
  const lines = log.split('\n').filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as { method?: string; uri?: string });
  return entries.flatMap(({ method, uri }) => (method && uri ? [{ method, url: uri }] : []));
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
