import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig, readEnvironments, unknownSettings } from '../src/config/config.ts';
import { ConfigError } from '../src/config/start-errors.ts';

const SECRET = 'geheim';
const entry = { host: 'acme.example', database: `postgres://u:${SECRET}@db/acme` };
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-file-'));
  file = join(folder, 'environments.json');
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads the settings with this file. */
async function read(content: unknown, settings: Record<string, string> = {}) {
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return readEnvironments({ HR_ENVIRONMENTS: file, ...settings });
}

async function faultOf(content: unknown, settings?: Record<string, string>): Promise<string> {
  const error: unknown = await read(content, settings).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  const { message } = error as ConfigError;
  expect(message).not.toContain(SECRET);
  return message.replaceAll(file, 'FILE');
}

describe('the file of environments', () => {
  test('is as documented', async () => {
    const page = await readFile(new URL('../../../docs/environments.md', import.meta.url), 'utf8');
    const [, example = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
    const { config, environments } = (await read(example, { HR_TIME_ZONE: 'UTC', HR_PORT: '0' })) ?? {};
    expect(config).toMatchObject({ port: 0 });
    expect([...(environments ?? [])]).toMatchObject([
      ['acme.hr.example.com', { publicUrl: 'https://acme.hr.example.com', timeZone: 'UTC', port: 0 }],
      ['globex.hr.example.com', { publicUrl: 'https://globex.hr.example.com', timeZone: 'Europe/Zurich' }],
    ]);
    const names = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(await faultOf([{ ...entry, x: 1 }])).toContain(
      `or give ${names.filter((name) => name !== 'HR').join(', ')}.`,
    );
  });

  test.each<[string, content: unknown, fault: string | RegExp]>([
    ['no JSON', `[{"host":"${SECRET}",}]`, /FILE is no JSON \(line 1 column \d+\): correct it\.$/],
    ['no array', { [entry.host]: entry }, /FILE must be a JSON array of environments: /],
    ['no entry', [], /FILE must be a JSON array of environments: /],
    ['no object', [SECRET], /entry 1 of FILE must be an object with "host" and "database"\.$/],
    [
      'an unknown setting',
      [entry, { ...entry, databse: SECRET }],
      /entry 2 of FILE \(acme\.example\) has unknown settings \(databse\): remove them, or give host, /,
    ],
    [
      'no host',
      [{ database: entry.database }],
      /"host" in entry 1 of FILE is not valid: give a host name in lower case/,
    ],
    ['a host with capitals', [{ ...entry, host: 'Acme.example' }], /"host" in entry 1 /],
    ['a host with a port', [{ ...entry, host: 'acme.example:443' }], /"host" in entry 1 /],
    ['a host with a dot at its end', [{ ...entry, host: 'acme.example.' }], /"host" in entry 1 /],
    [
      'no database',
      [{ host: 'acme.example' }],
      /"database" in entry 1 of FILE \(acme\.example\) is not valid: give postgres:/,
    ],
    ['an embedded database', [{ ...entry, database: 'pglite:memory' }], /"database" in entry 1 /],
    ['an unknown zone', [{ ...entry, timeZone: 'Berlin' }], /"timeZone" in entry 1 .*: give an IANA time zone/],
    ['a replica of several', [{ ...entry, databaseReplica: 'postgres://a,b/x' }], /"databaseReplica" in entry 1 /],
    ['paused that is none', [{ ...entry, paused: 'no' }], /"paused" in entry 1 .*: give true, or leave it out\.$/],
    [
      'a host twice',
      [entry, { ...entry, database: 'postgres://db/2' }],
      /"host" of acme\.example in FILE is that of another environment/,
    ],
    [
      'a database twice',
      [entry, { host: 'b.example', database: 'postgresql://other@DB/acme?sslmode=require' }],
      /"database" of b\.example in FILE is that of another/,
    ],
  ])('is refused with %s', async (_, content, fault) => {
    const message = await faultOf(content);
    expect(message).toMatch(/^HR_ENVIRONMENTS: /);
    expect(message).toMatch(fault);
  });

  test('tells databases apart by the case of their names', async () => {
    const { environments } = (await read([entry, { host: 'b.example', database: 'postgres://db/Acme' }])) ?? {};
    expect(environments?.size).toBe(2);
  });

  test('names all faults at once', async () => {
    const message = await faultOf([
      { ...entry, timeZone: 'x' },
      { ...entry, publicUrl: 'x', more: 1 },
    ]);
    expect(message.split('\n')).toHaveLength(3);
  });

  test('is refused where it is missing, or others can read it', async () => {
    expect(() => readEnvironments({ HR_ENVIRONMENTS: join(folder, 'none') })).toThrow(
      'none cannot be read: give the path of a JSON file.',
    );
    await read([entry]);
    await chmod(file, 0o640);
    expect(() => readEnvironments({ HR_ENVIRONMENTS: file })).toThrow('Run: chmod 600');
    await chmod(file, 0o600);
  });

  test('goes with no setting that each environment has', async () => {
    const fault = await faultOf([entry], { HR_DATABASE: entry.database, HR_PUBLIC_URL: 'https://x.example' });
    expect(fault).toMatch(/^HR_DATABASE, HR_PUBLIC_URL and HR_ENVIRONMENTS are set: unset /);
    expect(() => readConfig({ HR_ENVIRONMENT: 'acme.example' })).toThrow('HR_ENVIRONMENTS is not');
    expect(unknownSettings({ HR_ENVIRONMENTS: file, HR_ENVIRONMENT: 'x' })).toBeUndefined();
  });

  test('gives the settings of the one that HR_ENVIRONMENT names', async () => {
    await read([entry, { ...entry, host: '[::1]', database: 'postgres://db/2', publicUrl: 'http://[::1]:4010/' }]);
    const given = { HR_ENVIRONMENTS: file, HR_ENVIRONMENT: '[::1]' };
    expect(readConfig(given)).toMatchObject({ database: 'postgres://db/2', publicUrl: 'http://[::1]:4010' });
    expect(readEnvironments(given)).toBeUndefined();
    expect(readEnvironments({})).toBeUndefined();
  });
});
