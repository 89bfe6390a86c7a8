import { Readable } from 'node:stream';
import { company } from '@hr/testing/fixtures';
import { createLog } from 'service/src/create-log.ts';
import { readConfig } from 'service/src/config.ts';
import { createClient } from 'service/src/database/clients.ts';
import { migrate } from 'service/src/database/migrate.ts';
import { openDatabase } from 'service/src/database/open-database.ts';
import { createReadAudit } from 'service/src/http/read-audit.ts';
import type { ReadAudit } from 'service/src/http/read-audit.ts';
import { demoRecords } from 'service/src/ingest/demo-records.ts';
import { importFeed } from 'service/src/ingest/import-feed.ts';
import { createServer } from 'service/src/server.ts';

/** What the process tells when it is ready. */
export interface Ready {
  /** Addresses of the server that audits reads and of the one that does not. */
  readonly audited: string;
  readonly unaudited: string;
  readonly token: string;
  readonly contractIds: readonly string[];
}

/** What it answers to a message: everything that was read is written down. */
export interface Flushed {
  /** Time of the processor that the process has used so far. */
  readonly cpuSeconds: number;
}

const PERSONS = 1000;

const unaudited: ReadAudit = {
  checkRoom() {},
  note() {},
  async flush() {},
  async close() {},
  state: () => ({ waiting: 0, failedWrites: 0 }),
};

const config = readConfig({ HR_DATABASE: process.argv[2], HR_TOKEN_TTL_SECONDS: '86400' });
const database = await openDatabase(config.database);
await migrate(database);
const members = [...company({ persons: PERSONS })];
const feed = members.flatMap(demoRecords).map((record) => `${JSON.stringify(record)}\n`);
await importFeed(database, [{ name: 'company', bytes: Readable.from(feed.map((line) => Buffer.from(line))) }]);
const { clientId, clientSecret } = await createClient(database, { name: 'bench', scope: 'api:use' });

// Each line is made, as it always is, and not written.
const log = createLog('info', { write() {} });
const context = { database, config, log, commandLineToken: '' };
const readAudit = createReadAudit(database, log);
const servers = [createServer(context, readAudit), createServer(context, unaudited)] as const;
const [first, second] = await Promise.all(servers.map((server) => server.listen({ port: 0, host: '127.0.0.1' })));

const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
const issued = await fetch(`${first}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(credentials) });
const { access_token: token } = (await issued.json()) as { access_token: string };
const ready: Ready = {
  audited: first ?? '',
  unaudited: second ?? '',
  token,
  contractIds: members.flatMap(({ employments }) => employments.map(({ payrollContractId }) => payrollContractId)),
};
process.send?.(ready);

async function tellFlushed(): Promise<void> {
  await readAudit.flush();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 } satisfies Flushed);
}
process.on('message', () => void tellFlushed());
async function stop(): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
  await database.close();
}
process.once('disconnect', () => void stop());
