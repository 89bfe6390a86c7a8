import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { runServer } from 'verdaccio';
import { run } from '../run.ts';
import type { Versions } from './team.ts';

interface Metadata {
  readonly 'dist-tags': Versions;
  readonly versions: Readonly<Record<string, { readonly dependencies?: Versions; readonly dist: Versions }>>;
}

/**
 * Starts a Verdaccio on a free port of this machine, with its files in a folder, as a company has it: only its users
 * read our packages, and the others come from a public registry.
 */
export async function startPrivateRegistry(folder: string, ends: AsyncDisposableStack) {
  await mkdir(folder);
  const file = join(folder, 'config.yaml');
  const publicRegistry = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).trim();
  // The declarations promise any.
  const server = (await runServer({
    self_path: file,
    configPath: file,
    storage: join(folder, 'storage'),
    // Each request hashes a password again, which takes a tenth of a second with the default number of rounds.
    auth: { htpasswd: { file: './htpasswd', max_users: 1, rounds: 4 } },
    // On a busy machine, two slow responses do not mean that the public registry is down.
    uplinks: { public: { url: publicRegistry, timeout: '2m', max_fails: 1000 } },
    packages: {
      // Without `proxy`, Verdaccio never requests them from the public registry.
      '@hr/*': { access: '$authenticated', publish: '$authenticated', unpublish: '$authenticated' },
      '**': { access: '$all', publish: 'nobody', proxy: 'public' },
    },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'stdout', level: 'fatal' },
  })) as Server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.defer(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const user = await fetch(`${url}-/user/org.couchdb.user:hr`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'hr', password: crypto.randomUUID() }),
  });
  if (user.status !== 201) throw new Error(`The registry responded to a new user with ${user.status}.`);
  const { token } = (await user.json()) as { readonly token: string };
  return {
    url,
    token,
    /** What it tells its users about a package. */
    async metadataOf(name: string): Promise<Metadata> {
      const response = await fetch(`${url}${name}`, { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()) as Metadata;
    },
  };
}
