import type { Logger } from 'pino';
import type { Queries } from './database.ts';

/** Warns of a PostgreSQL that is set up so that the service runs, but without a safeguard. */
export async function warnOfSetup(queries: Queries, log: Logger): Promise<void> {
  const [setup] = await queries.query<{ isOwner: boolean; hasTimeout: boolean }>(
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
