import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

const VERSIONS = '/usr/lib/postgresql';
const OLDEST_POSTGRESQL = 15;

/** The folder with the programs of the newest PostgreSQL, as Debian installs them. */
export const postgresqlFolder = (): string => join(VERSIONS, newestPostgresql() ?? '', 'bin');

/**
 * Checks that the programs of the cluster are installed.
 *
 * @throws Error with a sentence for each package that is missing.
 */
export function checkPrograms(): void {
  const missing = Object.entries({
    'etcd-server': ['etcd'],
    haproxy: ['haproxy'],
    patroni: ['patroni', 'patronictl'],
    pgbackrest: ['pgbackrest'],
    pgbouncer: ['pgbouncer'],
    'util-linux': ['setpriv'],
  }).flatMap(([name, programs]) => (programs.every(isInstalled) ? [] : [name]));
  if (newestPostgresql() === undefined) missing.push(`postgresql-${OLDEST_POSTGRESQL}`);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `The package ${name} is missing.`);
  throw new Error([...lines, `On Debian: apt-get install ${missing.join(' ')}`].join('\n'));
}

function isInstalled(program: string): boolean {
  return `${process.env['PATH']}:/usr/sbin:/sbin`.split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function newestPostgresql(): string | undefined {
  try {
    const versions = readdirSync(VERSIONS).filter((version) => Number(version) >= OLDEST_POSTGRESQL);
    return versions.toSorted((a, b) => Number(b) - Number(a))[0];
  } catch {
    return undefined;
  }
}
