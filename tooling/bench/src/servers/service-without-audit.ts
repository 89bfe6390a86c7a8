import { readConfig } from 'service/src/config/config.ts';
import { createLog } from 'service/src/config/create-log.ts';
import { openDatabase } from 'service/src/database/open-database.ts';
import { createReadAudit, type ReadAudit } from 'service/src/audit/read-audit.ts';
import { createServer } from 'service/src/server.ts';

// The service with its audit of reads and without, in one process: an embedded database has only one. A message makes it
// store the events that wait.

/** The origins of the two servers. */
export interface TwoServers {
  readonly audited: string;
  readonly unaudited: string;
}

const noAudit: ReadAudit = {
  checkRoom() {},
  noteRead() {},
  noteRefusal() {},
  async flush() {},
  async close() {},
  state: () => ({ waiting: 0, failedWrites: 0 }),
};

const config = readConfig({ HR_DATABASE: process.argv[2] });
const database = await openDatabase(config.database);
const log = createLog('info');
const context = { database, config, log };
const readAudit = createReadAudit(database, log);
const listen = (audit: ReadAudit) => createServer(context, audit).listen({ port: 0, host: '127.0.0.1' });
const servers: TwoServers = { audited: await listen(readAudit), unaudited: await listen(noAudit) };

process.send?.(servers);
process.on('message', () => void readAudit.flush().then(() => process.send?.('')));
process.once('disconnect', () => process.exit());
