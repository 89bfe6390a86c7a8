import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import { createLog } from '../create-log.ts';
import { changeCustomFields } from '../database/client-custom-fields.ts';
import { createClient } from '../database/clients.ts';
import type { Scope } from '../database/clients.ts';
import type { Database } from '../database/database.ts';
import { databaseFolder } from '../database/open-database.ts';
import { emptyFolder } from '../database/pglite.ts';
import { loadDemo } from '../feed/load-demo.ts';
import { startService } from '../service.ts';
import type { Service } from '../service.ts';
import { stopOnSignal } from './serve.ts';
import type { Terminal } from './terminal.ts';

const DEMO_DATABASE = 'pglite:.data/demo';
/** Of those that the company has; the others are there to be allowed. */
const SHOWN_CUSTOM_FIELDS = ['Fahrerlaubnisklassen', 'Parkausweis'];

/** Adds `demo`. */
export function addDemoCommand(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .description('answer requests with a made-up company, on this machine alone')
    .action(async () => {
      const { env } = terminal;
      const HR_DATABASE = env['HR_DATABASE'] || DEMO_DATABASE;
      const config = readConfig({ ...env, HR_DATABASE, HR_LOG_LEVEL: env['HR_LOG_LEVEL'] || 'warn' });
      if (!/^(?:127(?:\.\d+){3}|::1|localhost)$/.test(config.host)) {
        throw new ConfigError('HR_HOST is not for the demo, whose secrets everybody knows: unset it, or use serve.');
      }
      // No other folder is ever emptied.
      if (HR_DATABASE === DEMO_DATABASE) await emptyFolder(databaseFolder(DEMO_DATABASE) ?? '');
      const service = await startService(config, createLog(config.logLevel));
      const paymentId = await prepare(service.database).catch(async (error: unknown) => {
        await service.stop();
        throw error;
      });
      const stopped = stopOnSignal(service);
      terminal.stdout.write(welcome(service, config.database, paymentId));
      await stopped;
    });
}

/** Loads the company and makes the clients. Gives the id of a payment that waits for a decision. */
async function prepare(database: Database): Promise<string | undefined> {
  const [person] = await database.query('select from person_view limit 1');
  if (person && !(await hasClient(database, 'demo'))) {
    throw new ConfigError('HR_DATABASE holds other data than the demo: unset it, or name an empty database.');
  }
  await loadDemo(database);
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

function welcome({ url, metricsUrl }: Service, database: string, paymentId: string | undefined): string {
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
${database === 'pglite:memory' || paymentId === undefined ? '' : payments}
Ctrl-C stops it.
`;
}
