import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { certificate as cert, privateKey as key } from 'cli/test/certificates.ts';
import { failures, type Failure } from './failures.ts';

const BLOCKED_PORT = 6666;
/** How long a server that leaves refuses connections. */
const AWAY_MS = 200;
/** A page may then send requests to another port. */
const permission = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization,content-type' };

/** Counts the requests that reach it, by the path of their base URL: `/3/read` for a read of the fourth failure. */
export async function startFailingServer() {
  const received = new Map<string, number>();
  const listener: RequestListener = ({ url = '', method, socket }, response) => {
    const [path, index] = /^\/(\d+)\/\w+(?=\/api)/.exec(url) ?? [];
    if (path === undefined || method === 'OPTIONS') {
      response.writeHead(200, { 'content-type': 'text/html', ...permission }).end();
      return;
    }
    received.set(path, (received.get(path) ?? 0) + 1);
    const { response: bytes = '', target, twist = '' } = failures[Number(index)] ?? {};
    if (target === 'leaving') {
      const { port } = leaving.address() as AddressInfo;
      leaving.close();
      setTimeout(() => void listen(leaving, port), AWAY_MS);
    }
    const isOpen = ['abort', 'hurry'].includes(twist);
    response.req.resume().once('end', () => socket.write(bytes, 'latin1', () => isOpen || socket.end()));
  };
  const [server, blocked, leaving] = [createServer(listener), createServer(listener), createServer(listener)];
  const closed = createServer();
  const origins: Record<NonNullable<Failure['target']>, string> = {
    server: `http://${await listen(server)}`,
    closed: `http://${await listen(closed)}`,
    nowhere: 'http://nowhere.invalid',
    blocked: `http://${await listen(blocked, BLOCKED_PORT)}`,
    untrusted: `https://${await listen(createTlsServer({ key, cert }, listener))}`,
    leaving: `http://${await listen(leaving)}`,
  };
  closed.close();
  return { origins, received };
}

async function listen(server: Server, wanted = 0): Promise<string> {
  await once(server.unref().listen(wanted, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
