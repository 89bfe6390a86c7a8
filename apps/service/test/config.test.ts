import { describe, expect, test } from 'vitest';
import { readConfig, unknownSettings } from '../src/config/config.ts';
import { databaseFolder } from '../src/database/open-database.ts';
import { ConfigError } from '../src/config/start-errors.ts';

describe('settings', () => {
  test('have defaults, also where a variable is empty', () => {
    expect(readConfig({ HR_PORT: '', OTHER: 'x' })).toEqual({
      database: 'pglite:.data/hr-cloud',
      databasePool: 10,
      databaseListPool: 8,
      host: '127.0.0.1',
      port: 4010,
      timeZone: 'Europe/Berlin',
      timeComponentVersion: '63.11.20',
      tokenTtlSeconds: 3600,
      historyDays: 400,
      logLevel: 'info',
    });
  });

  test.each([
    ['HR_DATABASE', ['pglite:memory', 'pglite:C:\\data folder', 'postgresql://localhost/hr', 'postgres:///hr']],
    ['HR_DATABASE', ['postgres://u:p%40ss@db.example.com:5432/hr?sslmode=require']],
    ['HR_DATABASE', ['postgres://u:p@db-1,db-2:5433,[::1]:5434/hr?sslmode=verify-full&target_session_attrs=primary']],
    ['HR_DATABASE', ['postgres://u:p%2C@one,two/hr', 'postgres://%2Fvar%2Frun%2Fpostgresql/hr']],
    ['HR_DATABASE_POOL', ['1']],
    ['HR_DATABASE_LIST_POOL', ['1000']],
    ['HR_HOST', ['0.0.0.0', '::1']],
    ['HR_PORT', ['0', '65535']],
    ['HR_METRICS_PORT', ['9464']],
    ['HR_PUBLIC_URL', ['https://hr.example.com', 'http://[::1]:4010/hr/cloud']],
    ['HR_TIME_ZONE', ['America/Argentina/Buenos_Aires', 'UTC']],
    ['HR_TRUSTED_PROXY', ['127.0.0.1,10.0.0.0/8,::1,fd00::/8']],
    ['HR_TIME_COMPONENT_VERSION', ['64']],
    ['HR_TOKEN_TTL_SECONDS', ['1']],
    ['HR_RATE_LIMIT', ['100']],
    ['HR_LOG_LEVEL', ['silent']],
  ])('%s takes %j', (name, values) => {
    for (const value of values) {
      const taken: readonly unknown[] = Object.values(readConfig({ [name]: value }));
      expect(taken.map(String)).toContain(value);
    }
  });

  test.each([
    ['HR_DATABASE', ['pglite:', 'pglite', 'postgres://']],
    ['HR_DATABASE', ['mysql://u:geheim@localhost/hr', 'postgres://u:geheim@local host/hr']],
    ['HR_DATABASE', ['postgres://u:geheim@one,,two/hr', 'postgres://u:geheim@one,two:65536/hr']],
    ['HR_DATABASE', ['postgres://u:geheim@one,two:x/hr', 'postgres://u:geheim@one,::1/hr']],
    ['HR_DATABASE', ['postgres://u:geheim@one,two/hr?sslmode=on', 'postgres://u:geheim@/hr?host=one,two']],
    ['HR_DATABASE', ['postgres://u:geheim@one,two/hr?target_session_attrs=standby']],
    ['HR_DATABASE_REPLICA', ['postgres://u:geheim@one,two/hr', 'pglite:memory']],
    ['HR_DATABASE_POOL', ['0']],
    ['HR_DATABASE_LIST_POOL', ['1001']],
    ['HR_HOST', ['http://localhost']],
    ['HR_PORT', ['65536', '-1', '80.5', '0x50']],
    ['HR_METRICS_PORT', ['off', '65536']],
    ['HR_TRUSTED_PROXY', ['true', '1', '10.0.0.0/0', '10.0.0.0/33', '10.0.0.1,']],
    ['HR_PUBLIC_URL', ['hr.example.com', 'ftp://hr.example.com', 'https://u:geheim@hr.example.com', 'https://']],
    ['HR_PUBLIC_URL', ['https://hr.example.com?', 'https://hr.example.com#top', 'https://hr.example.com/a b']],
    ['HR_TIME_ZONE', ['Berlin', '+02:00', 'ACT']],
    ['HR_TIME_COMPONENT_VERSION', ['63.x']],
    ['HR_TOKEN_TTL_SECONDS', ['0', '1h']],
    ['HR_RATE_LIMIT', ['0', '100/min', '1000001']],
    ['HR_LOG_LEVEL', ['INFO']],
  ])('%s takes none of %j, and says so without showing it', (name, values) => {
    for (const value of values) {
      const read = (): unknown => readConfig({ [name]: value });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(new RegExp(`^${name} is not valid: give [^\\n]+\\.$`));
      expect(read).not.toThrow(/geheim/);
    }
  });

  test('take a replica of PostgreSQL alone', () => {
    const databases = { HR_DATABASE: 'postgres://u:p@primary/hr', HR_DATABASE_REPLICA: 'postgres://u:p@standby/hr' };
    expect(readConfig(databases)).toMatchObject({ databaseReplica: databases.HR_DATABASE_REPLICA });
    expect(() => readConfig({ ...databases, HR_DATABASE: 'pglite:memory' })).toThrow(
      'HR_DATABASE_REPLICA is set, but HR_DATABASE is not PostgreSQL: set both, or neither.',
    );
  });

  test('are reported together', () => {
    expect(() => readConfig({ HR_PORT: 'http', HR_HOST: 'localhost', HR_LOG_LEVEL: 'loud' })).toThrow(
      /^HR_PORT is not valid: give [^\n]+\.\nHR_LOG_LEVEL is not valid: give [^\n]+\.$/,
    );
  });

  test('that are unknown are named, without their values, and those of other programs are not', () => {
    expect(unknownSettings({ HR_PORT: '1', PORT: '1', HR_REGISTRY_TOKEN: 'x', HR_CLIENT_ID: 'x' })).toBeUndefined();
    const warning = unknownSettings({ HR_PROT: 'geheim', HR_DATABASE_URL: 'geheim' });
    expect(warning).toMatch(/^Ignored unknown settings: HR_PROT, HR_DATABASE_URL\. The settings are HR_DATABASE, /);
    expect(warning).not.toContain('geheim');
  });

  test('tell the folder of an embedded database', () => {
    expect(databaseFolder('pglite:a/b')).toBe('a/b');
    expect(databaseFolder('pglite:memory')).toBeUndefined();
    expect(databaseFolder('postgres://localhost/hr')).toBeUndefined();
  });
});
