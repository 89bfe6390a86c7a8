import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createFakeHrCloud } from '@hr/testing/fake';
import { expect, onTestFinished } from 'vitest';
import { privateKey } from './certificates.ts';
import { homeFolder, runHr, type Ended } from './run-hr.ts';

/** The HR Cloud that the servers stand for. */
export const fake = createFakeHrCloud();
/** All tokens of the fake. */
const tokens: string[] = [];

/** What a service does differently than the HR Cloud; undefined for what it does alike. */
type Difference = (request: Request) => Response | undefined;

/** Handles requests like an HR Cloud, but for the difference. */
export function hrCloud(difference: Difference = () => undefined): RequestListener {
  return (sent, to) => {
    void (async () => {
      const body = await buffer(sent);
      const request = new Request(`http://127.0.0.1${sent.url}`, {
        method: sent.method ?? 'GET',
        headers: sent.headers as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const response = difference(request) ?? (await fake.fetch(request));
      const issued = (await response
        .clone()
        .json()
        .catch(() => undefined)) as { access_token?: string } | undefined;
      if (issued?.access_token !== undefined) tokens.push(issued.access_token);
      to.writeHead(response.status, Object.fromEntries(response.headers));
      to.end(Buffer.from(await response.arrayBuffer()));
    })();
  };
}

export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The address of an http server. */
export async function http(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}`;
}

/** The address of an https server with this certificate. */
export async function https(cert: string): Promise<string> {
  return `https://127.0.0.1:${await listening(createTlsServer({ key: privateKey, cert }, hrCloud()))}`;
}

interface Examined extends Ended {
  /** Check → state and message, with the remedy. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Runs `hr doctor` with `--json`. No secret and no token is in what it prints. */
export async function doctor(baseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Examined> {
  const home = { HR_HOME: env['HR_HOME'] ?? (await homeFolder()) };
  const client = { HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret };
  const ended = await runHr(['doctor', '--json'], { env: { HR_BASE_URL: baseUrl, ...client, ...env, ...home } });
  for (const value of [fake.clientSecret, ...tokens]) expect(ended.stdout + ended.stderr).not.toContain(value);
  const results = JSON.parse(ended.stdout) as { check: string; state: string; message: string; remedy?: string }[];
  const lines = results.map(({ check, state, message, remedy }) => [
    check,
    `${state}: ${message}${remedy === undefined ? '' : ` | ${remedy}`}`,
  ]);
  return { ...ended, checks: Object.fromEntries(lines) as Record<string, string> };
}
