import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { changeCustomFields } from '../clients/custom-fields.ts';
import { createClient } from '../clients/clients.ts';
import type { Scope } from '../clients/clients.ts';
import type { Database } from '../database/database.ts';
import { migrations } from '../database/migrate.ts';
import { databaseFolder } from '../database/open-database.ts';
import type { DatabaseUrl } from '../database/open-database.ts';
import type { Service } from '../service.ts';
import { ConfigError } from '../start-errors.ts';
import { stopOnSignal } from '../commands/serve.ts';
import type { Terminal } from '../commands/terminal.ts';
import { withDatabase } from '../commands/with-database.ts';

const DEMO_DATABASE = 'pglite:.data/demo';
/** The SHA-256 of the company that `loadDemo` loads. Generating the company to compare it would double the time of a start. */
export const DEMO_COMPANY = 'ff28d15a21a9905bfbf4764adb76ecf0f15bec3823d312239c8162e135168ed3';
/** Of those that the company has; the others are there to be allowed. */
const SHOWN_CUSTOM_FIELDS = ['Fahrerlaubnisklassen', 'Parkausweis'];

/** Adds `demo`. */
export function addDemoCommand(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .description('answer requests with a made-up company, on this machine alone')
    .action(async () => {
      const [{ readConfig }, { createLog }, { startService }] = await Promise.all([
        import('../config.ts'),
        import('../create-log.ts'),
        import('../service.ts'),
      ]);
      const { env } = terminal;
      const HR_DATABASE = env['HR_DATABASE'] || DEMO_DATABASE;
      const config = readConfig({ ...env, HR_DATABASE, HR_LOG_LEVEL: env['HR_LOG_LEVEL'] || 'warn' });
      if (!/^(?:127(?:\.\d+){3}|::1|localhost)$/.test(config.host)) {
        throw new ConfigError('HR_HOST is not for the demo, whose secrets everybody knows: unset it, or use serve.');
      }
      const folder = databaseFolder(config.database);
      const isLoaded = folder !== undefined && (await holdsDemo(folder));
      if (folder !== undefined && !isLoaded) {
        await rm(markIn(folder), { force: true });
        // No other folder is ever emptied.
        if (HR_DATABASE === DEMO_DATABASE) await (await import('../database/pglite.ts')).emptyFolder(folder);
        // An embedded database keeps the memory that loading takes until it is closed.
        await withDatabase(config, (database) => prepare(database, false));
        await writeFile(markIn(folder), await demoVersion());
      }
      const service = await startService(config, createLog(config.logLevel));
      const paymentId = await prepare(service.database, folder !== undefined).catch(async (error: unknown) => {
        await service.stop();
        throw error;
      });
      const stopped = stopOnSignal(service);
      terminal.stdout.write(welcome(service, config.database, paymentId));
      await stopped;
    });
}

/** A file that says which company a folder holds: written when all of it is stored, removed before any of it changes. */
function markIn(folder: string): string {
  return join(folder, 'demo-version');
}

/** Whether a folder holds the company of this version, whatever clients have changed since. */
async function holdsDemo(folder: string): Promise<boolean> {
  const version = await readFile(markIn(folder), 'utf8').catch(() => undefined);
  return version === (await demoVersion());
}

/** Changes with the company and the tables. */
async function demoVersion(): Promise<string> {
  const names = (await readdir(migrations)).toSorted();
  const tables = await Promise.all(names.map((name) => readFile(new URL(name, migrations))));
  return createHash('sha256')
    .update(Buffer.concat([Buffer.from(DEMO_COMPANY), ...tables]))
    .digest('hex');
}

/** Loads the company, unless it is loaded, and makes the clients. Gives the id of a payment that waits for a decision. */
async function prepare(database: Database, isLoaded: boolean): Promise<string | undefined> {
  const [person] = await database.query('select from person_view limit 1');
  const isDemo = await hasClient(database, 'demo');
  if (person && !isDemo) {
    throw new ConfigError('HR_DATABASE holds other data than the demo: unset it, or name an empty database.');
  }
  if (!isLoaded || !isDemo) await (await import('./load-demo.ts')).loadDemo(database);
  await addDemoClient(database, 'demo', 'api:use');
  await addDemoClient(database, 'operator', 'operator');
  const [payment] = await database.query<{ id: string }>(
    `select id::text from variable_payment where state = 'submitted' order by variable_payment.id limit 1`,
  );
  return payment?.id;
}

async function addDemoClient(database: Database, clientId: string, scope: Scope): Promise<void> {
  // One that was made before keeps what became of its secret.
  if (await hasClient(database, clientId)) return;
  await createClient(database, { name: `The demo's ${clientId}`, scope, clientId, clientSecret: `${clientId}-secret` });
  if (scope === 'api:use') {
    await database.transaction((transaction) =>
      changeCustomFields(transaction, 'allow', { clientId, names: SHOWN_CUSTOM_FIELDS }),
    );
  }
}

async function hasClient(database: Database, clientId: string): Promise<boolean> {
  const [client] = await database.query('select from api_client where client_id = $1', [clientId]);
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
