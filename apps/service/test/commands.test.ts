import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { addressOf, main, run, runProcess, start } from './command-line.ts';
import { bareDatabase, drivers, emptyDatabase } from './drivers.ts';

const feed = [
  { kind: 'person', id: 'p-1', lastName: 'Eins' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'employment', payrollContractId: 'c-1' },
];

describe('the command line', () => {
  test.each([
    ['--help', 0, /Commands:/],
    ['import --help', 0, /--strict/],
    ['payments approve --help', 0, /--reason/],
  ])('%s', async (args, code, stdout) => {
    expect(await run(args.split(' '))).toEqual({ code, stdout: expect.stringMatching(stdout) as string, stderr: '' });
  });

  test.each(['--help', 'payments approve'])('%s says the same and ends alike as a process', async (args) => {
    expect(await runProcess(args.split(' '))).toEqual(await run(args.split(' ')));
  });

  test.each<[string, number, RegExp, Record<string, string>?]>([
    ['', 2, /^Usage: service/],
    ['fly', 2, /^error: unknown command 'fly'\n$/],
    ['serve --fast', 2, /^error: unknown option '--fast'\n$/],
    ['clients create', 2, /^error: required option '--name <name>'/],
    ['clients create --name x --scope root', 2, /Allowed choices are api:use, operator/],
    ['payments list --state open', 2, /Allowed choices are submitted, approved, rejected/],
    ['payments approve', 2, /missing required argument 'id'/],
    ['serve', 2, /^HR_PORT is not valid: [^\n]+\n$/, { HR_PORT: 'http' }],
    ['migrate', 2, /^HR_DATABASE is not valid: [^\n]+\n$/, { HR_DATABASE: 'mysql://u:geheim@localhost/x' }],
    ['payments list', 2, /^pglite:memory [^\n]+\n$/, { HR_DATABASE: 'pglite:memory' }],
    [
      'migrate',
      1,
      /^The database cannot be reached now\. See .+ HR_DATABASE says\.\n$/,
      { HR_DATABASE: 'postgres://u:geheim@127.0.0.1:1/x' },
    ],
    ['migrate', 1, /^The database folder [^\n]+ cannot be written to: [^\n]+\n$/, { HR_DATABASE: `pglite:${main}` }],
    ['demo', 2, /^HR_HOST [^\n]+\n$/, { HR_HOST: '0.0.0.0' }],
  ])('%s fails with %i and one sentence', async (args, code, sentence, env) => {
    const result = await run(args.split(' ').filter(Boolean), env);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr).not.toMatch(/geheim|\n {4}at /);
  });

  test('reports all invalid settings, and warns of unknown ones', async () => {
    const env = { HR_PORT: 'http', HR_RATE_LIMIT: 'geheim', HR_PROT: 'geheim' };
    const { code, stderr } = await run(['serve'], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Ignored unknown settings: HR_PROT\. [^\n]+\nHR_PORT is not valid: [^\n]+\nHR_RATE_LIMIT is not valid: [^\n]+\n$/,
    );
    expect(stderr).not.toContain('geheim');
  });

  test('names what PostgreSQL refuses, without the password', async () => {
    const url = `${inject('postgresUrl').replace('postgres:postgres@', 'postgres:geheim@')}/nothing`;
    const { code, stderr } = await run(['migrate'], { HR_DATABASE: url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^PostgreSQL refuses [^\n]+\n$/);
    expect(stderr).not.toContain('geheim');
  });

  test('tells of a time zone that the database does not know', async () => {
    const { url, remove } = await emptyDatabase('postgres');
    expect(await run(['serve'], { HR_TIME_ZONE: 'US/Pacific-New', HR_DATABASE: url, HR_PORT: '0' })).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^HR_TIME_ZONE [^\n]+\n$/) as string,
    });
    await remove();
  });

  test('tells a taken port', async () => {
    const { url, remove } = await emptyDatabase('postgres');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(['serve'], { HR_DATABASE: url, HR_PORT: String(port) });
    other.close();
    await remove();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is taken[^\\n]+\\n$`)) as string,
    });
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
    expect(await runProcess(['migrate'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Applied 0001-/) as string,
    });
    expect(await run(['migrate'], env)).toEqual({ code: 0, stdout: 'The tables are up to date.\n', stderr: '' });
  });

  test('import loads files and the standard input, and tells which lines it leaves out', async () => {
    const file = join(folder, 'feed.ndjson');
    await writeFile(file, feed.map((record) => JSON.stringify(record)).join('\n'));
    expect(await run(['import', file], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 lines read, 0 left out.') as string,
    });
    const bad = '{"kind":"person","id":"p-2"}\n{"kind":"person","id":"p-3","lastName":7}\n';
    const strict = await runProcess(['import', '-', '--strict'], env, bad);
    expect(strict).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('/lastName') as string });
    const lenient = await runProcess(['import', '-', '--json'], env, bad);
    expect(lenient).toMatchObject({ code: 3, stderr: expect.stringMatching(/^stdin:2: \/lastName /) as string });
    expect(JSON.parse(lenient.stdout)).toMatchObject({ badLines: 1, outcomes: { person: { created: 1 } } });
  });

  test('a running service answers clients and is decided upon, and stops when it is told to', async () => {
    const child = start(['serve'], env);
    const log = text(child.stdout);
    const baseUrl = await addressOf(child);
    const made = await run(['clients', 'create', '--name', 'Test', '--json'], env);
    const { clientId, clientSecret, scope } = JSON.parse(made.stdout) as Record<string, string>;
    expect(scope).toBe('api:use');
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId ?? '',
      client_secret: clientSecret ?? '',
    });
    const response = await fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const submitted = await fetch(`${baseUrl}/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"compensationComponentId":"BONUS","amount":1}',
    });
    expect(submitted.status).toBe(200);

    const listed = await run(['payments', 'list', '--state', 'submitted', '--json'], env);
    const [payment] = JSON.parse(listed.stdout) as { id: string }[];
    const id = payment?.id ?? '';
    expect((await run(['payments', 'list'], env)).stdout).toMatch(
      /^ID +STATE .*\n\d+ +submitted +c-1 +2026-01 +BONUS +amount 1 /,
    );
    expect(await runProcess(['payments', 'approve', id, '--reason', 'Yes'], env)).toEqual({
      code: 0,
      stdout: `Payment ${id} is approved.\n`,
      stderr: '',
    });
    expect(await runProcess(['payments', 'reject', id], env)).toMatchObject({
      code: 1,
      stderr: 'The payment is approved; a decision is final.\n',
    });
    const decided = await run(['payments', 'list', '--json'], env);
    expect(JSON.parse(decided.stdout)).toMatchObject([{ state: 'approved', decidedBy: 'command line', reason: 'Yes' }]);

    child.kill(driver === 'pglite' ? 'SIGTERM' : 'SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    // The superuser of the tests owns the tables.
    const lines = (await log)
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('can drop the audit'));
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('requestId');
  });
});

describe('a folder that a running service holds', () => {
  test('is left alone; the command line asks the service, and a killed one frees it', async () => {
    const { url, remove } = await emptyDatabase('pglite');
    const env = { HR_DATABASE: url, HR_PORT: '0' };
    const child = start(['serve'], env);
    const log = text(child.stdout);
    await addressOf(child);
    const file = join(url.slice('pglite:'.length), 'operator.json');
    expect((await stat(file)).mode % 0o1000).toBe(0o600);
    const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string };
    for (const args of [['migrate'], ['import', '-'], ['serve']]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const held = await run(args, env);
      expect(held).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The database folder [^\n]+\n$/) as string,
      });
    }
    const none = { code: 0, stdout: 'There are no such payments.\n', stderr: '' };
    expect(await run(['payments', 'list'], env)).toEqual(none);
    await expectOthersRefused(file, env);
    child.kill('SIGKILL');
    expect(await log).toContain('operatorListVariablePayments');
    expect(await log).not.toContain(token);
    expect(await run(['payments', 'list'], env)).toEqual(none);
    await remove();
  });
});

/** What is left in the folder leads to another server, or nowhere. */
async function expectOthersRefused(file: string, env: Record<string, string>): Promise<void> {
  const left = await readFile(file);
  const other = createHttpServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  for (const content of [JSON.stringify({ url: `http://127.0.0.1:${port}`, token: 'x' }), '{', 'null', '{"url":5}']) {
    // oxlint-disable no-await-in-loop -- one after the other
    await writeFile(file, content);
    expect(await run(['payments', 'list'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+ database folder[^\n]+\.\n$/) as string,
    });
    // oxlint-enable no-await-in-loop
  }
  other.close();
  await writeFile(file, left);
}

describe('while a request never ends', () => {
  let child: ReturnType<typeof start>;
  let half: Socket;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const empty = await emptyDatabase('postgres');
    remove = empty.remove;
    child = start(['serve'], { HR_DATABASE: empty.url, HR_PORT: '0' });
    const baseUrl = new URL(await addressOf(child));
    half = connect(Number(baseUrl.port), baseUrl.hostname);
    half.write('POST /api/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    const answers = (status: number): Promise<void> =>
      vi.waitFor(async () => {
        const live = await fetch(new URL('/livez', baseUrl));
        if (live.status !== status) throw new Error(`/livez answers ${live.status}.`);
      });
    await answers(200);
    child.kill('SIGTERM');
    await answers(503);
  });
  afterEach(async () => {
    half.destroy();
    await remove();
  });

  test('the service stops after a while', async () => {
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('a second signal ends the process at once', async () => {
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
