import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConfigError } from './config/start-errors.ts';
import type { Config } from './config/config.ts';
import { INVALID_PARAMETER_VALUE, sqlStateOf } from './database/database-errors.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createServer, type ServerOptions } from './server.ts';

/** An environment: what responds to requests for one database, and its work in the background. It knows no other. */
export interface Environment {
  readonly server: FastifyInstance;
  /** Brings the tables up to date, and begins the work in the background. */
  open(): Promise<void>;
  /** Ends both: requests in flight end before, new ones get 503. The database stays open. */
  close(): Promise<void>;
}

interface EnvironmentOptions extends ServerOptions {
  readonly config: Config;
}

export function createEnvironment(options: EnvironmentOptions): Environment {
  const { config, log, opening, background: database = options.database } = options;
  const server = createServer(options);
  let endHousekeeping: (() => Promise<void>) | undefined;
  return {
    server,
    async open() {
      await migrate(database);
      await database.query('select adopt_changes()');
      await checkTimeZone(database, config.timeZone);
      if (!config.database.startsWith('pglite:')) await warnOfSetup(database, log);
      endHousekeeping = await startHousekeeping(database, config, log, opening?.isIdle);
    },
    async close() {
      try {
        await server.close();
      } finally {
        await endHousekeeping?.();
      }
    },
  };
}

async function checkTimeZone(database: Database, timeZone: string): Promise<void> {
  try {
    await database.query('select now() at time zone $1', [timeZone]);
  } catch (error) {
    if (sqlStateOf(error) !== INVALID_PARAMETER_VALUE) throw error;
    throw new ConfigError(
      'HR_TIME_ZONE or "timeZone" of the environment is not known to the database: give one such as Europe/Berlin, or UTC.',
    );
  }
}

/** Warns of a PostgreSQL that is set up so that the service runs, but without a safeguard. */
async function warnOfSetup(database: Database, log: Logger): Promise<void> {
  const [setup] = await database.query<{ isOwner: boolean; hasTimeout: boolean }>(
    `select pg_has_role(current_user, relowner, 'member') as "isOwner",
      current_setting('statement_timeout') <> '0' as "hasTimeout"
    from pg_class where oid = 'audit_event'::regclass`,
  );
  if (setup?.isOwner) {
    log.warn(
      'The role of HR_DATABASE can drop the audit, as it owns the tables or is a superuser. Use a role that does not.',
    );
  }
  if (setup?.hasTimeout === false) {
    log.warn(
      'HR_DATABASE leads to a pooler that keeps no settings, so statements have no time limit: run "alter role NAME set statement_timeout = \'20s\'" and "alter role NAME set lock_timeout = \'4s\'".',
    );
  }
}
