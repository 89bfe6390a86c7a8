import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';

/**
 * The Unix socket in a database folder on which the command line reaches the process that holds the folder. This process
 * has to hold it: it replaces the socket that a killed one left behind.
 */
export function operatorSocket(folder: string) {
  const connections = new WeakSet<Duplex>();
  // A feed may take any time.
  const server = createServer({ requestTimeout: 0 }).on('connection', (connection) => connections.add(connection));
  return {
    /** Whether a connection came over the socket. Only this user can open one, so it needs no token. */
    has: (connection: Duplex): boolean => connections.has(connection),
    listen: (handle: RequestListener): Promise<void> =>
      withShortPath(folder, async (path) => {
        await rm(path, { force: true });
        server.on('request', handle).listen(path);
        await once(server, 'listening');
        await chmod(path, 0o600);
      }),
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await rm(join(folder, NAME), { force: true });
    },
  };
}

/** Connects to the process that holds a database folder; rejects where none listens. */
export function connectToOperator(folder: string): Promise<Socket> {
  return withShortPath(folder, async (path) => {
    const connection = connect(path);
    await once(connection, 'connect');
    return connection;
  });
}

const NAME = 'operator.sock';
/** Linux takes 107 bytes, macOS 103. */
const MAX_PATH_BYTES = 100;

/** Runs `use` with a path of the socket that the system takes, however long that of the folder is. */
async function withShortPath<Result>(folder: string, use: (path: string) => Promise<Result>): Promise<Result> {
  const path = join(folder, NAME);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const directory = await mkdtemp(join(tmpdir(), 'hr-'));
  try {
    const link = join(directory, 'folder');
    await symlink(resolve(folder), link);
    return await use(join(link, NAME));
  } finally {
    await rm(directory, { recursive: true });
  }
}
