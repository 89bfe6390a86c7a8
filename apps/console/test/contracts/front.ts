import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { operations, TOKEN_PATH, type OperationId } from '@hr/schemas';
import type { ContractCloud, Interaction } from '@hr/testing/pact';
import { vi } from 'vitest';
import { startTestConsole, type BffCaller } from '../start-test-console.ts';

/** The key of payments in the contract, in place of the random one that the console sends. */
export const idempotencyKey = 'hr-console-1';

/** A console whose service is a front for the mocks of the contract. */
export interface ContractConsole extends AsyncDisposable {
  readonly bff: BffCaller;
  /** Does something in the console: its call of this operation goes to the mock, all others get what the front has. */
  run<Result>(
    operation: OperationId,
    interaction: Interaction<ContractCloud>,
    code: (bff: BffCaller) => Promise<Result>,
  ): Promise<Result>;
}

/** So that the cursors of the local copy are the same each day. */
const DATE = 'Wed, 21 Jan 2026 12:00:00 GMT';

/**
 * Starts a console.
 *
 * @param persons - What its first sync reads.
 */
export async function startContractConsole(persons: readonly object[]): Promise<ContractConsole> {
  let waiting: { readonly operation: OperationId; readonly cloud: ContractCloud } | undefined;

  async function respond(request: IncomingMessage): Promise<Response> {
    const { method = 'GET', url = '' } = request;
    const { pathname, search } = new URL(url, 'http://localhost');
    if (pathname === TOKEN_PATH)
      return Response.json({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 });
    if (waiting && isCallOf(waiting.operation, method, pathname)) {
      const { cloud } = waiting;
      waiting = undefined;
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const key = headers['idempotency-key'] === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const body = await buffer(request);
      return await fetch(`${cloud.baseUrl}${url}`, {
        method,
        headers: { ...(headers as Record<string, string>), authorization: `Bearer ${cloud.token}`, ...key },
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
    }
    if (pathname === '/operator/v1/changes') return Response.json({ cursor: '1', changed: [] });
    return Response.json(pathname === operations.listPersons.path && search === '' ? persons : []);
  }

  const server = createServer((request, response) => {
    void (async () => {
      const { status, headers, body } = await respond(request);
      const { 'content-encoding': _encoding, 'transfer-encoding': _transfer, ...rest } = Object.fromEntries(headers);
      response.writeHead(status, { ...rest, date: DATE }).end(body && (await buffer(body)));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running = await startTestConsole({ HR_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  // Then the console sends nothing by itself, because no browser listens.
  await vi.waitFor(() => {
    const read = running.cloud.mirror.status().filter(({ syncedAt }) => syncedAt !== undefined);
    if (read.length < 3) throw new Error('The local copy is not complete.');
  }, 60_000);
  const bff = running.signIn();
  return {
    bff,
    run: (operation, interaction, code) =>
      interaction.run((cloud) => {
        waiting = { operation, cloud };
        return code(bff);
      }),
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      server.close();
    },
  };
}

function isCallOf(operation: OperationId, called: string, pathname: string): boolean {
  const { method, path } = operations[operation];
  const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+');
  return called === method && new RegExp(`^${pattern}$`).test(pathname);
}
