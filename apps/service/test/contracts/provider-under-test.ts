import { isDeepStrictEqual } from 'node:util';
import type { Grants } from '@hr/schemas/provider';
import { scenarioOf, type Scenario } from '@hr/testing/states';
import { escapeLiteral } from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import { createClient } from '../../src/clients/clients.ts';
import { createCredentialKeys } from '../../src/clients/credential-keys.ts';
import type { Database, Queries } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase, type DatabaseUrl } from '../../src/database/open-database.ts';
import { secretHash } from '../../src/clients/secrets.ts';
import { countRequest } from '../../src/http/rate-limit.ts';
import { decidePayment } from '../../src/payroll/payment-handlers.ts';
import { createServer } from '../../src/server.ts';
import { newToken } from '../oauth-form.ts';
import { customFieldsOf, loadScenario } from './load-scenario.ts';
import { staged } from './staged-database.ts';

/** The real service at one address, which can load a scenario. */
export interface ProviderUnderTest {
  readonly url: string;
  /** Who the client under test is. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empties it. The tokens of the client under test stay valid. */
  reset(): Promise<void>;
  /** Makes it hold a scenario, and nothing else. */
  load(scenario: Scenario): Promise<void>;
  /** Approves all submitted payments. */
  approvePayments(): Promise<void>;
  /** A token of the client under test, from the token endpoint. */
  token(): Promise<string>;
  /** A valid token of another scope than the API's. */
  tokenWithoutScope(): Promise<string>;
  stop(): Promise<void>;
}

/** The requests of a client in a minute, when a scenario has used them up. */
const RATE_LIMIT = 100;

/** Starts it on an empty database, by default an embedded one in memory. */
export async function startProviderUnderTest(databaseUrl: DatabaseUrl = 'pglite:memory'): Promise<ProviderUnderTest> {
  const opened = await openDatabase(databaseUrl);
  await migrate(opened);
  const client = await createClient(opened, { name: 'under test', scope: 'api:use' });
  const operator = await createClient(opened, { name: 'operator', scope: 'operator' });
  const empty = await tableEmptier(opened, [client.clientId, operator.clientId]);

  const preset = readConfig({});
  // The service reads its settings at each request.
  const config: { -readonly [Name in keyof typeof preset]: (typeof preset)[Name] } = { ...preset };
  const database = staged(opened);
  let credentialKeys = createCredentialKeys(database);
  const server = createServer({ database, config, log: pino({ level: 'silent' }) }, undefined, {
    issue: (credential) => credentialKeys.issue(credential),
    hasIssued: (...credential) => credentialKeys.hasIssued(...credential),
    signed: (...cursor) => credentialKeys.signed(...cursor),
    opened: (...cursor) => credentialKeys.opened(...cursor),
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const tokens = {
    client: await newToken({ baseUrl: url }, client),
    operator: await newToken({ baseUrl: url }, operator),
  };

  /** Changes the client under test by the service's own operator, so that its cached token changes, too. */
  async function changeClient(path: string, body: object): Promise<void> {
    const { status } = await fetch(`${url}/operator/v1/clients/${client.clientId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.operator}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (status !== 200) throw new Error(`The client under test cannot be changed: ${path} responds with ${status}.`);
    // It has always seen this: a new grant would add everybody to its lists of changes.
    await opened.query('update api_client set grants_change = null');
  }

  const seen = new Set<string>();
  async function showCustomFields(names: readonly string[]): Promise<void> {
    const incoming = names.filter((name) => !seen.has(name));
    if (incoming.length > 0) await changeClient('custom-fields/allow', { names: incoming });
    for (const name of incoming) seen.add(name);
  }

  let granted: object = { operations: null, systems: null };
  async function grant({ operations = null, systems = null }: Grants = {}): Promise<void> {
    const isGranted = isDeepStrictEqual(granted, { operations, systems });
    granted = { operations, systems };
    if (!isGranted) await changeClient('grants', granted);
  }

  async function load(scenario: Scenario): Promise<void> {
    const { parametersOf } = scenario;
    database.isGone = false;
    database.heldLocks.clear();
    config.rateLimit = preset.rateLimit;
    await empty();
    await showCustomFields(customFieldsOf(scenario));
    await grant(parametersOf('a client with grants').at(-1));
    await loadScenario(opened, scenario, { clientId: client.clientId, timeZone: config.timeZone });
    // Else the secrets that a scenario chooses are unknown for half a minute.
    credentialKeys = createCredentialKeys(database);
    const { version = preset.timeComponentVersion } = parametersOf('an outdated time component').at(-1) ?? {};
    config.timeComponentVersion = version;
    if (parametersOf('a used-up rate limit').length > 0) {
      config.rateLimit = RATE_LIMIT;
      await useUpRateLimit(opened, [client, ...parametersOf('an API client')]);
    }
    for (const { idempotencyKey } of parametersOf('a payment being submitted with a key'))
      database.heldLocks.add(lockOfKey(client.clientId, idempotencyKey));
    database.isGone = parametersOf('an unavailable service').length > 0;
  }

  return {
    url,
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    reset: () => load(scenarioOf([])),
    load,
    async approvePayments() {
      const submitted = await opened.query<{ id: string }>(
        `select id::text from variable_payment where state = 'submitted'`,
      );
      const decisions = submitted.map(({ id }) => ({ id, state: 'approved', decidedBy: 'command line' }) as const);
      await opened.transaction(async (transaction) => {
        // oxlint-disable-next-line no-await-in-loop -- a transaction runs one statement at a time
        for (const decision of decisions) await decidePayment(transaction, decision);
      });
    },
    token: async () => tokens.client,
    tokenWithoutScope: async () => tokens.operator,
    async stop() {
      database.isGone = false;
      await server.close();
      await opened.close();
    },
  };
}

/** The lock that a transaction holds while it makes a payment with a client's key. */
function lockOfKey(clientId: string, idempotencyKey: string): string {
  return String(secretHash(JSON.stringify([clientId, idempotencyKey])).readBigInt64BE());
}

/** Lets each client have sent as many requests to the API, and for tokens, as it may. */
async function useUpRateLimit(database: Database, clients: readonly { readonly clientId: string }[]): Promise<void> {
  const counters = clients.flatMap(({ clientId }) => [`client ${clientId}`, `oauth ${clientId}`]);
  // oxlint-disable-next-line no-await-in-loop -- an embedded database does one after the other anyway
  for (const counter of counters) await countRequest(database, counter, RATE_LIMIT);
  await database.query('update rate_limit set requests = $1', [RATE_LIMIT]);
}

/** What stays: the tables' own history, the keys of issued secrets, and the audit, which takes new events only. */
const keptTables = ['migration', 'audit_event', 'audit_block', 'credential_key', 'change_origin'];
/** Of these the rows of the clients under test stay, so that their tokens stay valid. */
const clientTables = [
  'client_maker',
  'client_custom_field',
  'access_token',
  'client_secret',
  'client_key',
  'api_client',
];

/** Creates a function that deletes all data of tests from the database, except these clients. */
async function tableEmptier(queries: Queries, clientIds: readonly string[]): Promise<() => Promise<void>> {
  // Triggers fill tables that are newer than their own.
  const tables = await queries.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace order by oid`,
  );
  const known = new Set([...keptTables, ...clientTables]);
  const statements = [
    // Each row of it belongs to a payment.
    'delete from idempotency_key;',
    ...tables.filter(({ name }) => !known.has(name)).map(({ name }) => `delete from ${name};`),
    ...clientTables.map(
      (name) => `delete from ${name} where client_id not in (${clientIds.map(escapeLiteral).join(', ')});`,
    ),
  ];
  return async () => {
    await queries.query(statements.join('\n'));
  };
}
