import { once } from 'node:events';
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { addressOf, main, run, runJson, start } from './command-line.ts';
import { bareDatabase, drivers, emptyDatabase } from './drivers.ts';
import { loadedPackages, recordPackages } from './loaded-packages.ts';
import { newToken } from './oauth-form.ts';
import { startService } from './service.ts';

const READS = 30;
const feed = [
  { kind: 'person', id: 'p-1', lastName: 'Eins' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'employment', payrollContractId: 'c-1' },
];

/** A database to which PostgreSQL lets nobody with this password. */
const refused = `${inject('postgresUrl').replace('postgres:postgres@', 'postgres:geheim@')}/nothing`;

describe('the command line', () => {
  test.each([
    ['--help', 0, /Commands:/],
    ['import --help', 0, /--strict/],
    ['payments approve --help', 0, /--reason/],
  ])('%s', async (args, code, stdout) => {
    expect(await run(args.split(' '))).toEqual({ code, stdout: expect.stringMatching(stdout) as string, stderr: '' });
  });

  test.each<[string, number, RegExp, Record<string, string>?]>([
    ['', 2, /^Usage: service/],
    ['fly', 2, /^error: unknown command 'fly'\n$/],
    ['serve --fast', 2, /^error: unknown option '--fast'\n$/],
    ['clients create', 2, /^error: required option '--name <name>'/],
    ['payments list --state open', 2, /Allowed choices are submitted, approved, rejected/],
    [
      'serve',
      2,
      /^Ignored unknown settings: HR_PROT\. [^\n]+\nHR_PORT is not valid: [^\n]+\nHR_RATE_LIMIT is not valid: [^\n]+\n$/,
      { HR_PORT: 'http', HR_RATE_LIMIT: 'geheim', HR_PROT: 'geheim' },
    ],
    ['migrate', 2, /^HR_DATABASE is not valid: [^\n]+\n$/, { HR_DATABASE: 'mysql://u:geheim@localhost/x' }],
    ['payments list', 2, /^pglite:memory [^\n]+\n$/, { HR_DATABASE: 'pglite:memory' }],
    [
      'migrate',
      1,
      /^The database cannot be reached now\. See .+ HR_DATABASE says\.\n$/,
      { HR_DATABASE: 'postgres://u:geheim@127.0.0.1:1/x' },
    ],
    ['migrate', 1, /^PostgreSQL refuses [^\n]+\n$/, { HR_DATABASE: refused }],
    ['migrate', 1, /^The database folder [^\n]+ cannot be written to: [^\n]+\n$/, { HR_DATABASE: `pglite:${main}` }],
    ['demo', 2, /^HR_HOST [^\n]+\n$/, { HR_HOST: '0.0.0.0' }],
  ])('%s fails with %i and says why in a sentence each', async (args, code, sentence, env) => {
    const result = await run(args.split(' ').filter(Boolean), env);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr).not.toMatch(/geheim|\n {4}at /);
  });

  test('tells of a time zone that the database does not know, and of a taken port', async () => {
    const { url: HR_DATABASE, remove } = await emptyDatabase('postgres');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const HR_PORT = String((other.address() as AddressInfo).port);
    const zone = await run(['serve'], { HR_TIME_ZONE: 'US/Pacific-New', HR_DATABASE, HR_PORT: '0' });
    const port = await run(['serve'], { HR_DATABASE, HR_PORT });
    other.close();
    await remove();
    expect(zone).toMatchObject({ code: 2, stdout: '' });
    expect(zone.stderr).toMatch(/^HR_TIME_ZONE [^\n]+\n$/);
    expect(port).toMatchObject({ code: 1, stdout: '' });
    expect(port.stderr).toMatch(new RegExp(`^Port ${HR_PORT} of 127\\.0\\.0\\.1 is taken[^\\n]+\\n$`));
  });
});

describe.each(drivers)('commands on %s', (driver) => {
  let env: Record<string, string>;
  let folder: string;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const bare = await bareDatabase(driver);
    remove = bare.remove;
    env = { HR_DATABASE: bare.url, HR_PORT: '0' };
    folder = await mkdtemp(join(tmpdir(), 'hr-feed-'));
  });
  afterAll(async () => {
    await remove();
    await rm(folder, { recursive: true });
  });

  test('migrate tells what it did', async () => {
    expect((await run(['migrate'], env)).stdout).toMatch(/^Applied 0001-/);
    expect(await run(['migrate'], env)).toEqual({ code: 0, stdout: 'The tables are up to date.\n', stderr: '' });
  });

  test('import loads files', async () => {
    const file = join(folder, 'feed.ndjson');
    await writeFile(file, feed.map((record) => JSON.stringify(record)).join('\n'));
    expect((await run(['import', file], env)).stdout).toContain('3 lines read, 0 left out.');
  });

  test.runIf(driver === 'postgres')(
    'import loads the standard input, and tells which lines it leaves out',
    async () => {
      const bad = '{"kind":"person","id":"p-2"}\n{"kind":"person","id":"p-3","lastName":7}\n';
      const strict = start(['import', '-', '--strict'], env);
      const exit = once(strict, 'exit');
      strict.stdin.end(bad);
      expect([await text(strict.stdout), await text(strict.stderr)]).toEqual([
        '',
        expect.stringContaining('/lastName'),
      ]);
      expect(await exit).toEqual([1, null]);
      const lenient = await run(['import', '-', '--json'], env, bad);
      expect(lenient).toMatchObject({ code: 3, stderr: expect.stringMatching(/^stdin:2: \/lastName /) as string });
      expect(JSON.parse(lenient.stdout)).toMatchObject({ badLines: 1, outcomes: { person: { created: 1 } } });
    },
  );

  test('a running service answers clients, takes decisions on payments, and writes all reads before it stops', async () => {
    const made = await run(['clients', 'create', '--name', 'Test', '--json'], env);
    const child = start(['serve'], env);
    const log = text(child.stdout);
    const baseUrl = await addressOf(child);
    const client = JSON.parse(made.stdout) as ClientCredentials;
    expect(client.scope).toBe('api:use');
    const authorization = `Bearer ${await newToken({ baseUrl }, client)}`;
    const contract = `${baseUrl}/api/v1/payrollContract/c-1`;
    const submitted = await fetch(`${contract}/variable-payments?billingPeriod=2026-01`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"compensationComponentId":"BONUS","amount":1}',
    });
    expect(submitted.status).toBe(200);

    const [payment] = await runJson<{ id: string }[]>(['payments', 'list', '--state', 'submitted'], env);
    const id = payment?.id ?? '';
    expect((await run(['payments', 'list'], env)).stdout).toMatch(
      /^ID +STATE .*\n\d+ +submitted +c-1 +2026-01 +BONUS +amount 1 /,
    );
    const approved = { code: 0, stdout: `Payment ${id} is approved.\n`, stderr: '' };
    expect(await run(['payments', 'approve', id, '--reason', 'Yes'], env)).toEqual(approved);
    const late = { code: 1, stderr: 'The payment is approved; a decision is final.\n' };
    expect(await run(['payments', 'reject', id], env)).toMatchObject(late);
    const decided = { state: 'approved', decidedBy: 'command line', reason: 'Yes' };
    expect(await runJson(['payments', 'list'], env)).toMatchObject([decided]);
    expect((await run(['payments', 'count', '--contract', 'c-1,c-2', '--sums'], env)).stdout).toMatch(
      /^PERIOD +STATE +PAYMENTS +SUMS\n2026-01 +approved +1 +amount 1\n$/,
    );

    const read = async (): Promise<number> =>
      (await fetch(`${contract}/salaries/history`, { headers: { authorization } })).status;
    const statuses = await Promise.all(Array.from({ length: READS }, read));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const exit = once(child, 'exit');
    child.kill(driver === 'pglite' ? 'SIGTERM' : 'SIGINT');
    expect(await exit).toEqual([0, null]);
    const list = ['audit', 'list', '--actor'];
    const reads = await runJson([...list, client.clientId, '--operation', 'listSalaryHistory'], env);
    expect(reads).toHaveLength(READS);
    // The superuser of the tests owns the tables.
    const lines = (await log).split('\n').filter((line) => line !== '' && !line.includes('can drop the audit'));
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('requestId');
    const itself = await run([...list, 'command line', '--operation', 'operatorListAuditEvents'], env);
    expect(itself.stdout).toMatch(/^MOMENT .*\n[\d-]+ [\d:]+ +command line +read +operatorListAuditEvents +30 .*\n$/);
  });
});

/** What a command writes to the standard error, on a slow machine also lines about its progress. */
function withProgress(lines: string): string {
  return expect.stringContaining(lines) as string;
}

function person(id: number, fields = {}): string {
  return `${JSON.stringify({ kind: 'person', id: `h-${id}`, ...fields })}\n`;
}

test('a folder that a running service holds is left alone, and commands reach the service by a socket', async () => {
  const empty = await emptyDatabase('pglite');
  const feeds = await mkdtemp(join(tmpdir(), 'hr-feed-'));
  // Longer than the path of a socket can be.
  const folder = join(feeds, 'x'.repeat(100));
  await cp(empty.url.slice('pglite:'.length), folder, { recursive: true });
  await empty.remove();
  const env = { HR_DATABASE: `pglite:${folder}`, HR_PORT: '0' };
  const child = start(['serve'], env);
  child.stdout.resume();
  await addressOf(child);

  const socket = join(folder, 'operator.sock');
  expect((await stat(socket)).mode % 0o1000).toBe(0o600);
  const held = { code: 1, stderr: expect.stringMatching(/^The database folder [^\n]+\n$/) as string };
  for (const args of [['migrate'], ['serve']]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await run(args, env)).toMatchObject(held);
  }
  const none = { code: 0, stdout: 'There are no such payments.\n', stderr: '' };
  expect(await run(['payments', 'list'], env)).toEqual(none);
  await expectImports(env, feeds);
  child.kill('SIGKILL');
  await once(child, 'exit');
  // It was left behind. The folder is free.
  expect((await stat(socket)).isSocket()).toBe(true);
  expect(await run(['payments', 'list'], env)).toEqual(none);
  const other = await startService('pglite', env);
  expect(await run(['payments', 'list'], env)).toEqual(none);
  await rm(socket);
  expect(await run(['payments', 'list'], env)).toMatchObject(held);
  await other.stop();
  await expect(stat(socket)).rejects.toThrow('ENOENT');
  await rm(feeds, { recursive: true });
});

/** The service imports, as if the command did it. */
async function expectImports(env: Record<string, string>, feeds: string): Promise<void> {
  const [good, bad, packed] = ['good.ndjson', 'bad.ndjson', 'packed.ndjson.gz'].map((name) => join(feeds, name));
  await writeFile(good ?? '', person(1) + person(2));
  await writeFile(bad ?? '', `${person(3)}\n${person(4, { lastName: 7 })}`);
  await writeFile(packed ?? '', gzipSync(person(5)));
  const fault = `${bad}:3: /lastName must be a string\n`;
  const strict = ['import', '--strict', '--json'];
  const stopped = { code: 1, stdout: '', stderr: withProgress(`${fault}A line is bad, so nothing was stored.\n`) };
  expect(await run([...strict, good ?? '', bad ?? ''], env)).toEqual(stopped);
  expect(await run([...strict, bad ?? ''], env)).toEqual(stopped);
  expect(await runJson(['audit', 'list', '--operation', 'operatorImportFeed'], env)).toEqual([]);

  const mixed = await run(['import', '--json', good ?? '', bad ?? '', packed ?? '', '-'], env, person(6));
  expect(mixed).toMatchObject({ code: 3, stderr: withProgress(fault) });
  const outcomes = { person: { created: 5 }, salary: { created: 0 } };
  expect(JSON.parse(mixed.stdout)).toMatchObject({ lines: 6, badLines: 1, outcomes });
  const again = await run(['import', good ?? ''], env);
  expect(again.stdout).toMatch(/person +0 +0 +2 [^]+2 lines read, 0 left out\./);
  const listed = await runJson<{ id: string }[]>(['imports', 'list'], env);
  expect(listed.at(2)).toMatchObject({ actor: 'command line', state: 'done', sources: [bad], lines: 2, badLines: 1 });
  expect((await run(['imports', 'list'], env)).stdout).toMatch(/^ID +STATE .+\n[\da-f-]+ +failed /);
  const id = listed[2]?.id ?? '';
  const ended = { code: 1, stderr: 'The import has ended already.\n' };
  expect(await run(['imports', 'cancel', id], env)).toMatchObject(ended);
  const shown = await run(['imports', 'show', id], env);
  expect(shown.stdout).toMatch(/person +1 +0 +0 [^]+bad\.ndjson:3: \/lastName must be a string\n$/);

  const torn = gzipSync(person(7)).subarray(0, -4);
  await writeFile(packed ?? '', torn);
  const unreadable = `The feed ${packed} cannot be read: its compressed data ends early.\n`;
  expect(await run(['import', packed ?? ''], env)).toEqual({ code: 1, stdout: '', stderr: withProgress(unreadable) });
}

test.each([
  ['stops after a while', 0, []],
  ['ends at once at a second signal', 1, ['SIGTERM'] as const],
])('while a request never ends, the service %s', async (_, code, signals) => {
  const { url, remove } = await emptyDatabase('postgres');
  const child = start(['serve'], { HR_DATABASE: url, HR_PORT: '0' });
  const baseUrl = new URL(await addressOf(child));
  const half = connect(Number(baseUrl.port), baseUrl.hostname);
  half.write('POST /api/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
  const live = async (): Promise<number> => (await fetch(new URL('/livez', baseUrl))).status;
  await expect.poll(live).toBe(200);
  child.kill('SIGTERM');
  await expect.poll(live).toBe(503);
  for (const signal of signals) child.kill(signal);
  expect(await once(child, 'exit')).toEqual([code, null]);
  half.destroy();
  await remove();
});

// What demo loads is in demo.test.ts.
test.each([
  ['--help', ['commander'], ['zod', 'schemas', 'fastify', 'pino', '@electric-sql/pglite']],
  ['serve', ['zod', 'schemas', 'fastify'], ['testing', 'fast-check', '@prometheus-io/client', 'ajv']],
])('%s loads only the packages that it needs', async (command, needed, unneeded) => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-loaded-'));
  const { url, remove } = await emptyDatabase('postgres');
  const file = join(folder, 'loaded');
  const child = start([command], { HR_DATABASE: url, HR_PORT: '0', ...recordPackages(file) });
  child.stdout.resume();
  if (command === 'serve') {
    await addressOf(child);
    child.kill('SIGTERM');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
  const loaded = await loadedPackages(file);
  expect(loaded).toEqual(expect.arrayContaining(needed));
  expect(loaded.filter((name) => unneeded.includes(name))).toEqual([]);
  await remove();
  await rm(folder, { recursive: true });
});
