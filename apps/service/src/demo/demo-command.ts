import { hash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { createClient } from '../clients/clients.ts';
import { takeImportLock } from '../database/change-sets.ts';
import type { Database, Queries } from '../database/database.ts';
import { migrations } from '../database/migrate.ts';
import { databaseFolder, type DatabaseUrl } from '../database/open-database.ts';
import type { Service } from '../service.ts';
import { ConfigError } from '../config/start-errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';

const DEMO_DATABASE = 'pglite:.data/demo';
/** The SHA-256 of companies that `loadDemo` loads. Generating the company to compare it would double the time of a start. */
export const DEMO_COMPANY = 'b67c470b3022c2b1be0923265d64e2386215f474acc18f073e0102b05f02cd91';
/** From this day on, the company of a day is that of the day before, and one day more. */
const FIRST_DAY = '2026-10-31';
const DAY = 86_400_000;
/** Of those that the company has; the others are there to be allowed. */
const SHOWN_CUSTOM_FIELDS = ['Fahrerlaubnisklassen', 'Parkausweis'];

export function addDemoCommand(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .description('answer requests with a made-up company, on this machine alone')
    .option('--until <date>', `the last day of the company, from ${FIRST_DAY} on (default: yesterday)`, parseDay)
    .action(async (options: { until?: string }) => {
      const [{ readConfig }, { createLog }, { startService, stopOnSignal }] = await Promise.all([
        import('../config/config.ts'),
        import('../config/create-log.ts'),
        import('../service.ts'),
      ]);
      const { env } = terminal;
      const HR_DATABASE = env['HR_DATABASE'] || DEMO_DATABASE;
      const config = readConfig({ ...env, HR_DATABASE, HR_LOG_LEVEL: env['HR_LOG_LEVEL'] || 'warn' });
      if (!/^(?:127(?:\.\d+){3}|::1|localhost)$/.test(config.host)) {
        throw new ConfigError('HR_HOST is not for the demo, whose secrets everybody knows: unset it, or use serve.');
      }
      const folder = databaseFolder(config.database);
      const mark = `${await demoVersion()} ${options.until ?? yesterday(config.timeZone)}`;
      const kept = folder && storedDay(await readFile(markIn(folder), 'utf8').catch(() => ''), mark);
      if (folder !== undefined && (kept ?? '') < dayOf(mark)) {
        if (kept === undefined) {
          await rm(markIn(folder), { force: true });
          // No other folder is ever emptied.
          if (HR_DATABASE === DEMO_DATABASE) await (await import('../database/pglite.ts')).emptyFolder(folder);
        }
        // An embedded database keeps the memory that loading takes until it is closed.
        await withDatabase(config, (database) => prepare(database, mark));
        await writeFile(markIn(folder), mark);
      }
      const service = await startService(config, createLog(config.logLevel));
      const paymentId = await prepare(service.database, mark).catch(async (error: unknown) => {
        await service.stop();
        throw error;
      });
      const stopped = stopOnSignal(service);
      terminal.stdout.write(welcome(service, config.database, paymentId));
      await stopped;
    });
}

function parseDay(day: string): string {
  const start = new Date(`${day}T00:00Z`);
  const isDay = start >= new Date(FIRST_DAY) && start.toISOString().startsWith(`${day}T`);
  if (isDay && day < '2100') return day;
  throw new InvalidArgumentError(`It must be a date from ${FIRST_DAY} to 2099-12-31.`);
}

/** The day before that of a moment in a time zone, but no day before the company begins. */
export function yesterday(timeZone: string, now = new Date()): string {
  // Swedish dates are ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  const day = new Date(Date.parse(today) - DAY).toISOString().slice(0, FIRST_DAY.length);
  return day > FIRST_DAY ? day : FIRST_DAY;
}

/** The day at the end of a mark, which says which company is stored: its version and its last day. */
const dayOf = (mark: string): string => mark.slice(-FIRST_DAY.length);

/** The last day of the company that is stored, if it has the same version. */
const storedDay = (stored: string, mark: string): string | undefined =>
  stored.startsWith(mark.slice(0, -FIRST_DAY.length)) ? dayOf(stored) : undefined;

/** It has the mark of a folder once all of the company is stored. A database has its mark as the comment of a table. */
const markIn = (folder: string): string => join(folder, 'demo-version');

/** Changes with the company and the tables. */
async function demoVersion(): Promise<string> {
  const names = (await readdir(migrations)).toSorted();
  const tables = await Promise.all(names.map((name) => readFile(new URL(name, migrations))));
  return hash('sha256', Buffer.concat([Buffer.from(DEMO_COMPANY), ...tables]));
}

/**
 * Makes the clients, and loads the company or what it lacks of its days. What clients have changed stays. Gives the id of
 * a payment that waits for a decision.
 */
async function prepare(database: Database, mark: string): Promise<string | undefined> {
  const [person] = await database.query('select from person_view limit 1');
  if (person && !(await hasClient(database, 'demo'))) {
    throw new ConfigError('HR_DATABASE holds other data than the demo: unset it, or name an empty database.');
  }
  await database.transaction(addDemoClients, { long: true });
  const [table] = await database.query<{ comment: string | null }>(
    `select obj_description('person_view'::regclass, 'pg_class') as comment`,
  );
  const after = storedDay(table?.comment ?? '', mark);
  if ((after ?? '') < dayOf(mark)) {
    await (await import('./load-demo.ts')).loadDemo(database, { until: dayOf(mark), after });
    await database.query(`comment on table person_view is '${mark}'`);
  }
  const [payment] = await database.query<{ id: string }>(
    `select id::text from variable_payment where state = 'submitted' order by variable_payment.id limit 1`,
  );
  return payment?.id;
}

async function addDemoClients(transaction: Queries): Promise<void> {
  // Another process may start the demo at the same time.
  await takeImportLock(transaction);
  const { grantClient } = await import('../clients/client-grants.ts');
  // oxlint-disable no-await-in-loop -- a transaction runs one statement at a time
  for (const [clientId, scope] of [
    ['demo', 'api:use'],
    ['operator', 'operator'],
    // Its payments are there from the start, so that whoever uses the other clients may decide on them.
    ['time-tracking', 'api:use'],
  ] as const) {
    // One that was made before keeps what became of its secret.
    const isNew = !(await hasClient(transaction, clientId));
    const name = `The demo's ${clientId}`;
    if (isNew) await createClient(transaction, { name, scope, clientId, clientSecret: `${clientId}-secret` });
    if (clientId === 'time-tracking') continue;
    // Those of the demo's console.
    await grantClient(transaction, clientId, { actsForPeople: true });
    if (!isNew || scope !== 'api:use') continue;
    const { changeCustomFields } = await import('../clients/custom-field-handlers.ts');
    await changeCustomFields(transaction, 'allow', { clientId, names: SHOWN_CUSTOM_FIELDS });
  }
  // oxlint-enable no-await-in-loop
}

async function hasClient(queries: Queries, clientId: string): Promise<boolean> {
  const [client] = await queries.query('select from api_client where client_id = $1', [clientId]);
  return client !== undefined;
}

function welcome({ url, metricsUrl }: Service, database: DatabaseUrl, paymentId: string | undefined): string {
  const folder = databaseFolder(database);
  // Another database than the demo's own is in the reader's environment already.
  const service = `${database === DEMO_DATABASE ? `HR_DATABASE=${DEMO_DATABASE} ` : ''}npx pnpm@12 --silent service`;
  const payments = `
  # see which variable payments wait for a decision, and approve one
  ${service} payments list --state submitted
  ${service} payments approve ${paymentId}
`;
  return `
The HR Cloud demo is on ${url}

  client    demo      demo-secret      api:use
  operator  operator  operator-secret  operator
  Docs      ${url}/docs
  OpenAPI   ${url}/openapi.json${metricsUrl === undefined ? '' : `\n  Metrics   ${metricsUrl}`}

Try, in another terminal:

  # get a token and list persons
  TOKEN=$(curl -s ${url}/api/oauth2/token -d grant_type=client_credentials \\
    -d client_id=demo -d client_secret=demo-secret -d scope=api:use | cut -d '"' -f 4)
  curl -s ${url}/api/v1/persons -H "Authorization: Bearer $TOKEN" | head -c 1000
${database === 'pglite:memory' || paymentId === undefined ? '' : payments}${
    folder === undefined
      ? ''
      : `
Changes are kept. To start afresh, stop the demo and delete ${folder}.`
  }
Ctrl-C stops it.
`;
}
