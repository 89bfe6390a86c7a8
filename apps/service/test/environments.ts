import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createClient, type ClientCredentials } from '../src/clients/clients.ts';
import { readEnvironments, type Environments } from '../src/config/config.ts';
import { explain } from '../src/commands/report-failure.ts';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { startEnvironments, type EnvironmentsService } from '../src/environments.ts';
import type { Scope } from '../src/http/grant.ts';
import type { Answer } from './service.ts';

/** An entry of the file of `HR_ENVIRONMENTS`. */
export type Entry = Readonly<Record<string, unknown>> & { readonly host: string; readonly database: string };

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly token?: string;
}

/** A service with many environments, on a random port. */
export interface TestEnvironments {
  readonly service: EnvironmentsService;
  readonly settings: { readonly HR_ENVIRONMENTS: string };
  /** The lines of its log. */
  readonly log: Readonly<Record<string, unknown>>[];
  /** Sends a request with this header `Host`, or without one. */
  send(host: string | undefined, path: string, sent?: Sent): Promise<Answer>;
  /** Applies another file. */
  change(entries: readonly Entry[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestEnvironments(
  entries: readonly Entry[],
  settings: Readonly<Record<string, string>> = {},
): Promise<TestEnvironments> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-environments-'));
  const HR_ENVIRONMENTS = join(folder, 'environments.json');
  const read = async (written: readonly Entry[]): Promise<Environments> => {
    await writeFile(HR_ENVIRONMENTS, JSON.stringify(written), { mode: 0o600 });
    return readEnvironments({ HR_ENVIRONMENTS, HR_PORT: '0', ...settings }) as Environments;
  };
  const log: Readonly<Record<string, unknown>>[] = [];
  const write = (line: string): void => void log.push(JSON.parse(line) as Record<string, unknown>);
  const service = await startEnvironments(await read(entries), pino({ level: 'debug' }, { write }), explain);
  return {
    service,
    settings: { HR_ENVIRONMENTS },
    log,
    send: (...sent) => sendTo(service, ...sent),
    change: async (written) => service.apply((await read(written)).environments),
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a request with this header `Host`, or without one. */
export async function sendTo(
  service: Pick<EnvironmentsService, 'url'>,
  host: string | undefined,
  path: string,
  { method = 'GET', headers = {}, body, token }: Sent = {},
): Promise<Answer> {
  const sent = request(service.url, {
    method,
    path,
    setHost: false,
    headers: {
      ...(host !== undefined && { host }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const content = await text(response);
  const isJson = response.headers['content-type']?.includes('json');
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    body: isJson ? JSON.parse(content) : content,
  };
}

/** A client of an environment, and a token. */
export interface Caller extends ClientCredentials {
  readonly host: string;
  readonly token: string;
}

/** Makes a client in the database of an environment, and gets a token for it. */
export async function newCaller(
  { send }: Pick<TestEnvironments, 'send'>,
  host: string,
  database: Database,
  scope: Scope = 'api:use',
): Promise<Caller> {
  const client = await createClient(database, { name: host, scope });
  const { status, body } = await askTokenAt({ send }, host, client);
  if (status !== 200) throw new Error(`The token endpoint of ${host} answered ${status}.`);
  return { ...client, host, token: (body as { access_token: string }).access_token };
}

/** Asks an environment for a token. */
export function askTokenAt(
  { send }: Pick<TestEnvironments, 'send'>,
  host: string,
  { clientId, clientSecret, scope }: ClientCredentials,
): Promise<Answer> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope };
  return send(host, '/api/oauth2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** Opens a database whose tables are up to date. */
export async function openMigrated(url: string): Promise<Database> {
  const database = await openDatabase(url as `postgres://${string}`);
  await migrate(database);
  return database;
}
