import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface Cut {
  /** The connection breaks at the first statement that has this in it. */
  readonly at: string;
  /** Whether the server gets the statement and only its answer is lost. */
  readonly arrives: boolean;
}

/** A way to a PostgreSQL server, for tests in which it goes away. */
export interface DatabaseProxy {
  /** The address of the database by this way. */
  readonly url: string;
  /** Breaks what is connected, and what connects from now on. */
  cut(): void;
  /** Breaks one connection, later. */
  cutAt(cut: Cut): void;
  /** Says nothing any more, as a machine does that is gone: nothing is refused and nothing comes through. */
  silence(): void;
  /** Lets new connections through; what was silenced is lost. */
  mend(): void;
  close(): Promise<void>;
}

/** Opens a way to the database of an address. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  let mode: 'open' | 'cut' | 'silent' = 'open';
  let next: Cut | undefined;
  const sockets = new Set<Socket>();

  const server = createServer((near) => {
    hold(near);
    if (mode === 'cut') near.destroy();
    if (mode !== 'open') return;
    const far = connect(Number(target.port), target.hostname);
    hold(far);
    let isLost = false;
    near.on('data', (bytes) => {
      const cut = next && bytes.includes(next.at) ? next : undefined;
      if (cut) next = undefined;
      isLost = cut?.arrives ?? false;
      if (cut && !isLost) near.destroy();
      else far.write(bytes);
    });
    far.on('data', (bytes) => void (isLost ? near.destroy() : near.write(bytes)));
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  function hold(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  }
  function breakAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      mode = 'cut';
      breakAll();
    },
    cutAt: (cut) => (next = cut),
    silence() {
      mode = 'silent';
      for (const socket of sockets) socket.pause();
    },
    mend() {
      mode = 'open';
      breakAll();
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
