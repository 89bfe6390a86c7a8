import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client, type Connection } from 'pg';

/** A pooler such as PgBouncer in transaction mode: each transaction may run on another connection to the server. */
export interface TransactionPooler {
  /** The address of the database through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** The parameters at the start of a session that PgBouncer keeps apart for each client. */
const tracked = new Set(['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'application_name']);

const [READY, IDLE, TERMINATE] = ['Z', 'I', 'X'].map((type) => type.charCodeAt(0));

/** A connection to the server, and the client whose transaction runs on it. */
interface Server {
  readonly socket: Duplex;
  client: Socket | undefined;
}

/** Opens a pooler with so many connections to the database of an address. */
export async function transactionPooler(databaseUrl: string, size: number): Promise<TransactionPooler> {
  const servers = await Promise.all(Array.from({ length: size }, () => openServer(databaseUrl)));
  const waiting: { readonly client: Socket; readonly bytes: Buffer }[] = [];
  const clients = new Set<Socket>();

  for (const server of servers) {
    server.socket.on(
      'data',
      eachMessage((message) => {
        server.client?.write(message);
        if (message[0] !== READY || message[5] !== IDLE) return;
        // The connection that has been free for the longest time is the next one.
        servers.push(...servers.splice(servers.indexOf(server), 1));
        server.client = undefined;
        const next = waiting.shift();
        if (next) forward(next.client, next.bytes);
      }),
    );
  }

  function forward(client: Socket, bytes: Buffer): void {
    if (bytes[0] === TERMINATE) return;
    const server = servers.find((one) => one.client === client) ?? servers.find((one) => one.client === undefined);
    if (!server) {
      waiting.push({ client, bytes });
      return;
    }
    server.client = client;
    server.socket.write(bytes);
  }

  const listener = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.on('error', () => {}).once('close', () => clients.delete(client));
    let isStarted = false;
    client.on('data', (bytes: Buffer) => {
      if (isStarted) {
        forward(client, bytes);
      } else {
        isStarted = true;
        client.write(answerToStart(bytes));
      }
    });
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const socket of [...clients, ...servers.map((server) => server.socket)]) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function answerToStart(bytes: Buffer): Buffer {
  const names = bytes
    .toString('utf8', 8)
    .split('\0')
    .filter((_, index) => index % 2 === 0 && _ !== '');
  const unknown = names.find((name) => !tracked.has(name.toLowerCase()));
  if (unknown !== undefined) {
    const fields = ['SFATAL', 'VFATAL', 'C08P01', `Munsupported startup parameter: ${unknown}`, ''];
    return messageOf('E', Buffer.from(`${fields.join('\0')}\0`));
  }
  const processAndSecret = Buffer.from('7f00000100000001', 'hex');
  return Buffer.concat([
    messageOf('R', Buffer.alloc(4)),
    messageOf('K', processAndSecret),
    messageOf('Z', Buffer.from('I')),
  ]);
}

async function openServer(connectionString: string): Promise<Server> {
  const client = new Client({ connectionString });
  await client.connect();
  const { stream } = (client as unknown as { readonly connection: Connection }).connection;
  // From now on, what comes is for clients of the pooler.
  return { socket: stream.removeAllListeners().on('error', () => {}), client: undefined };
}

function messageOf(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

/** Takes a stream apart into messages. */
function eachMessage(take: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
