import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { grantClient } from '../src/clients/client-grants.ts';
import { createClient, type ClientCredentials } from '../src/clients/clients.ts';
import type { Scope } from '../src/http/grant.ts';
import type { Database } from '../src/database/database.ts';
import type { DatabaseUrl } from '../src/database/open-database.ts';
import { importFeed } from '../src/feed/import-feed.ts';
import * as service from '../src/service.ts';
import { emptyDatabase, type Driver } from './drivers.ts';
import { feed } from './feed.ts';
import { newToken } from './oauth-form.ts';

/** A service on a random port over a database of its own. */
export interface TestService extends Pick<service.Service, 'server' | 'database' | 'metricsUrl'> {
  readonly baseUrl: string;
  readonly databaseUrl: DatabaseUrl;
  /** Everything it has logged. */
  readonly log: string[];
  /** Makes a client of a scope, by default `api:use`. One with `operator` may act for people. */
  client(scope?: Scope): Promise<ClientCredentials>;
  /** Gets an access token from the token endpoint, for a client that is made at the first call. */
  token(scope?: Scope): Promise<string>;
  /** Sends a request with a token of the scope `api:use`, unless it brings an `authorization`; its body as JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  stop(): Promise<void>;
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly scope?: Scope;
}

/** An answer, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body's JSON, or its text where it is none. */
  readonly body: unknown;
}

/**
 * Starts the service on an empty database, or as one process more on the one that `HR_DATABASE` names.
 *
 * @param environment settings that differ from the defaults
 */
export async function startService(driver: Driver, environment: Record<string, string> = {}): Promise<TestService> {
  const { HR_DATABASE: shared } = environment;
  const empty = shared === undefined ? await emptyDatabase(driver) : { url: shared as DatabaseUrl, remove() {} };
  const log: string[] = [];
  const config = readConfig({ HR_DATABASE: empty.url, HR_PORT: '0', ...environment });
  const running = await service.startService(
    config,
    pino({ level: 'debug' }, { write: (line) => void log.push(line) }),
  );
  const baseUrl = running.url;
  const tokens = new Map<Scope, Promise<string>>();

  const client = async (scope: Scope = 'api:use'): Promise<ClientCredentials> => {
    const created = await createClient(running.database, { name: 'a test', scope });
    if (scope === 'operator') await grantClient(running.database, created.clientId, { actsForPeople: true });
    return created;
  };

  const token = (scope: Scope = 'api:use'): Promise<string> => {
    const found = tokens.get(scope) ?? client(scope).then((credentials) => newToken({ baseUrl }, credentials));
    tokens.set(scope, found);
    return found;
  };

  return {
    ...running,
    baseUrl,
    databaseUrl: empty.url,
    log,
    client,
    token,
    async send(method, path, { headers = {}, body, scope } = {}) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${await token(scope)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
        }),
      });
      const text = await response.text();
      const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    async stop() {
      await running.stop();
      await empty.remove();
    },
  };
}

/** The records of a person with a contract. */
export function contractRecords(personId = 'p-1', payrollContractId = 'c-1'): object[] {
  return [
    { kind: 'person', id: personId },
    { kind: 'mapping', personId, payrollContractId },
    { kind: 'employment', payrollContractId },
  ];
}

/**
 * A service for all tests of a suite, or of a file: it is started before the first of them, and stopped after the last.
 *
 * @param records of the feed, which it loads at its start
 */
export function sharedService(
  driver: Driver,
  environment: Record<string, string> = {},
  records: readonly object[] = [],
): TestService {
  let running: TestService | undefined;
  beforeAll(async () => {
    running = await startService(driver, environment);
    if (records.length > 0) await load(running.database, records);
  });
  afterAll(() => running?.stop());
  // It is known to the tests before it is there.
  return new Proxy({} as TestService, { get: (_, name) => Reflect.get(running as TestService, name) });
}

/** Loads records of the feed. */
export async function load(database: Database, records: readonly object[]): Promise<void> {
  await importFeed(database, [feed(...records)], {
    strict: true,
    onBadLine: ({ issues }) => {
      throw new Error(JSON.stringify(issues));
    },
  });
}
