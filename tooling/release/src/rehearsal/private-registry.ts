import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { runServer } from 'verdaccio';
import { run } from '../run.ts';
import type { Versions } from './team.ts';

/** A private registry, as a company has it: only its users read our packages, and the others come from a public one. */
export interface PrivateRegistry {
  readonly url: string;
  /** Tokens of its users: the publisher can publish, the reader can only install. */
  readonly tokens: { readonly publisher: string; readonly reader: string };
  /** What it tells a reader about a package. */
  metadataOf(name: string): Promise<Metadata>;
  /** The lines of its log. Those with a `uri` are requests to the public registry. */
  log(): Promise<readonly LogEntry[]>;
  stop(): Promise<void>;
}

interface Metadata {
  readonly 'dist-tags': Versions;
  readonly versions: Readonly<Record<string, PublishedVersion>>;
}

interface PublishedVersion {
  readonly dependencies?: Versions;
  readonly dist: { readonly integrity: string; readonly tarball: string };
}

interface LogEntry {
  readonly method?: string;
  readonly uri?: string;
}

/** Starts an empty Verdaccio on a free port of this machine, with its files in a folder. */
export async function startPrivateRegistry(folder: string): Promise<PrivateRegistry> {
  await mkdir(folder);
  const publicRegistry = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).trim();
  const log = join(folder, 'log.ndjson');
  // The declarations promise any.
  const server = (await runServer(settings(folder, publicRegistry, log))) as Server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tokens = { publisher: await newUser(url, 'publisher'), reader: await newUser(url, 'reader') };
  return {
    url,
    tokens,
    async metadataOf(name) {
      const response = await fetch(`${url}${name}`, { headers: { authorization: `Bearer ${tokens.reader}` } });
      return (await response.json()) as Metadata;
    },
    async log() {
      const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as LogEntry);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function settings(folder: string, publicRegistry: string, log: string): Parameters<typeof runServer>[0] {
  const path = join(folder, 'config.yaml');
  return {
    self_path: path,
    configPath: path,
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: './htpasswd', max_users: 2 } },
    // On a busy machine, two slow responses do not mean that the public registry is down.
    uplinks: { public: { url: publicRegistry, timeout: '2m', max_fails: 1000 } },
    packages: {
      // Without `proxy`, Verdaccio never requests them from the public registry.
      '@hr/*': { access: '$authenticated', publish: 'publisher', unpublish: 'publisher' },
      '**': { access: '$all', publish: 'nobody', proxy: 'public' },
    },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'file', path: log, format: 'json', level: 'info' },
  };
}

async function newUser(registry: string, name: string): Promise<string> {
  const response = await fetch(`${registry}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  if (response.status !== 201) throw new Error(`The registry responded to a new user with ${response.status}.`);
  const { token } = (await response.json()) as { token: string };
  return token;
}
