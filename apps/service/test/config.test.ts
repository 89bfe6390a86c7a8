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

  // What a setting takes, and what it does not.
  test.each<[name: string, valid: string[], invalid: string[]]>([
    ['HR_DATABASE', ['pglite:memory', 'pglite:C:\\data folder'], ['pglite:', 'pglite']],
    ['HR_DATABASE', ['postgresql://localhost/hr', 'postgres:///hr'], ['postgres://', 'mysql://u:geheim@localhost/hr']],
    ['HR_DATABASE', ['postgres://u:p%40ss@db:5432/hr?sslmode=require'], ['postgres://u:geheim@local host/hr']],
    ['HR_DATABASE', ['postgres://u:p%2C@one,two/hr'], ['postgres://u:geheim@one,,two/hr']],
    ['HR_DATABASE', ['postgres://%2Fvar%2Frun%2Fpostgresql/hr'], ['postgres://u:geheim@/hr?host=one,two']],
    ['HR_DATABASE', ['postgres://u:p@one,two:5433/hr'], ['postgres://u:geheim@one,two:65536/hr']],
    ['HR_DATABASE', ['postgres://a:5433,[::1]:5434/hr'], ['postgres://u:geheim@one,::1/hr', 'postgres://a,b:x/hr']],
    ['HR_DATABASE', ['postgres://one,two/hr?sslmode=verify-full'], ['postgres://u:geheim@one,two/hr?sslmode=on']],
    ['HR_DATABASE', ['postgres://a,b?target_session_attrs=primary'], ['postgres://a,b?target_session_attrs=standby']],
    ['HR_DATABASE_REPLICA', [], ['postgres://u:geheim@one,two/hr', 'pglite:memory']],
    ['HR_DATABASE_POOL', ['1'], ['0']],
    ['HR_DATABASE_LIST_POOL', ['1000'], ['1001']],
    ['HR_HOST', ['0.0.0.0', '::1'], ['http://localhost']],
    ['HR_PORT', ['0', '65535'], ['65536', '-1', '80.5', '0x50']],
    ['HR_METRICS_PORT', ['9464'], ['off', '65536']],
    ['HR_TRUSTED_PROXY', ['127.0.0.1,10.0.0.0/8,::1,fd00::/8'], ['true', '1', '10.0.0.0/0', '10.0.0.0/33', '::1,']],
    ['HR_PUBLIC_URL', ['https://hr.example.com'], ['hr.example.com', 'ftp://hr.example.com', 'https://']],
    [
      'HR_PUBLIC_URL',
      ['http://[::1]:4010/hr/cloud'],
      ['https://u:geheim@hr.example.com', 'https://hr.example.com/a b'],
    ],
    ['HR_PUBLIC_URL', [], ['https://hr.example.com?', 'https://hr.example.com#top']],
    ['HR_TIME_ZONE', ['America/Argentina/Buenos_Aires', 'UTC'], ['Berlin', '+02:00', 'ACT']],
    ['HR_TIME_COMPONENT_VERSION', ['64'], ['63.x']],
    ['HR_TOKEN_TTL_SECONDS', ['1'], ['0', '1h']],
    ['HR_RATE_LIMIT', ['100'], ['0', '100/min', '1000001']],
    ['HR_LOG_LEVEL', ['silent'], ['INFO']],
  ])('%s takes %j, and none of %j, which no error shows', (name, valid, invalid) => {
    for (const value of valid) {
      const taken: readonly unknown[] = Object.values(readConfig({ [name]: value }));
      expect(taken.map(String)).toContain(value);
    }
    for (const value of invalid) {
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
    const others = ['HR_HOME', 'HR_PROFILE', 'HR_KEYCHAIN', 'HR_BASE_URL', 'HR_CONSOLE_DATA', 'HR_OPERATOR_CLIENT_ID'];
    expect(unknownSettings(Object.fromEntries(others.map((name) => [name, 'x'])))).toBeUndefined();
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
