import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TOKEN_PATH } from '@hr/schemas';
import type { ContractCloud } from '@hr/testing/pact';
import { onTestFinished } from 'vitest';
import { homeFolder, runHr, type Ended } from '../run-hr.ts';

/** The key of a payment in the contract, in place of the random one that the command sends. */
export const idempotencyKey = 'hr-cli-1';

/** A response that the contract does not have: what a command reads beside the request of the contract. */
interface Prepared {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs a command. Its first reads get the prepared responses; all others go to the mock of the contract. */
type RunThroughFront = (args: readonly string[], cloud?: ContractCloud, options?: FrontOptions) => Promise<Ended>;

interface FrontOptions {
  readonly prepared?: readonly Prepared[];
  readonly stdin?: string;
}

/** Starts one address for the contracts of a test, because a local copy belongs to one address. */
export async function front(): Promise<RunThroughFront> {
  const home = await homeFolder();
  let cloud: ContractCloud | undefined;
  let prepared: Prepared[] = [];

  async function respond(request: IncomingMessage): Promise<Response> {
    if (request.url === TOKEN_PATH) {
      return Response.json({ access_token: cloud?.token ?? 'token', token_type: 'Bearer', expires_in: 3600 });
    }
    // Whether the HR Cloud supports keys.
    if (request.headers['idempotency-key'] === 'not a key') return Response.json({}, { status: 404 });
    const next = request.method === 'GET' ? prepared.shift() : undefined;
    if (next) return Response.json(next.body, { headers: next.headers ?? {} });
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const key = headers['idempotency-key'] === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const body = await buffer(request);
    return await fetch(`${cloud?.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(headers as Record<string, string>), ...key },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
  }

  const server = createServer((request, response) => {
    void (async () => {
      const { status, headers, body } = await respond(request);
      const { 'content-encoding': _encoding, 'transfer-encoding': _transfer, ...rest } = Object.fromEntries(headers);
      response.writeHead(status, rest).end(body && (await buffer(body)));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { HR_HOME: home, HR_BASE_URL: baseUrl, HR_CLIENT_ID: 'cli', HR_CLIENT_SECRET: 'secret' };
  return async (args, of, options = {}) => {
    cloud = of;
    prepared = [...(options.prepared ?? [])];
    return await runHr(args, { env, stdin: options.stdin ?? '' });
  };
}
