import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../src/cli-error.ts';
import { run } from '../src/program.ts';
import { homeFolder, runHr } from './run-hr.ts';

const condition = ['--conditions=@hr/source'];
const main = join(import.meta.dirname, '../src/main.ts');
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let persons: object[] = [];
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url?.endsWith('/token')) {
    response.end(JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 }));
  } else if (request.method === 'GET') response.end(JSON.stringify(persons, undefined, 2));
  else respond(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

let home: string;
let env: Record<string, string>;
beforeEach(async () => {
  home = await homeFolder();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { HR_HOME: home, HR_BASE_URL: url, HR_CLIENT_ID: 'demo', HR_CLIENT_SECRET: 'a-secret' };
});

const address = { street: 'Neuweg', zipCode: '10115', city: 'Berlin', country: 'DE' };

test('texts of the service do not control the terminal', async () => {
  const evil = '\u001B]52;c;aGk=\u0007\u009B2J\u202E';
  persons = [
    { id: `1${evil}`, jobTitle: evil, [`field${evil}`]: 1 },
    { id: '2', address: { street: evil, [evil]: evil } },
  ];
  const changes = await runHr(['sync', 'persons', '--dry-run'], { env });
  const comparison = await runHr(['persons', 'set-address', '2', '--dry-run'], { env, stdin: JSON.stringify(address) });
  expect(comparison.stderr).toContain('Neuweg');
  const [stdout, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
  const printed = text(stdout);
  await run(['api', '/api/v1/persons'], { env, stdin: Readable.from([]), stdout, stderr, exitCode: 0 });
  stdout.end();
  expect(JSON.parse(await printed)).toEqual(persons);
  for (const output of [changes.stderr, comparison.stderr, await printed]) {
    expect(output).not.toMatch(/(?!\n)[\p{Cc}\u202E]/u);
  }
});

test.each([
  ['persons', 'set-address', '1', '--yes'],
  ['api', 'PATCH', '/api/v1/persons/1', '--input-file', '-'],
])('an interrupted change says that it may have been made: hr %s %s', async (...args) => {
  persons = [{ id: '1' }];
  const interrupt = new AbortController();
  respond = () => interrupt.abort();
  const ended = await runHr(args, { env, stdin: JSON.stringify(address), signal: interrupt.signal });
  expect(ended.code).toBe(exitCodes.unknownOutcome);
  expect(ended.stderr).toMatch(/may have (?:been made|taken effect)/);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['redirected', (response) => response.writeHead(302, { location: 'https://example.com' }).end()],
  ['timed out', (response) => response.writeHead(408).end()],
  ['failed', (response) => response.writeHead(500).end()],
  [
    'cut off',
    (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{');
      setImmediate(() => response.destroy());
    },
  ],
])('the outcome of a change by api that was %s is unknown', async (_, answer) => {
  respond = (_request, response) => answer(response);
  const ended = await runHr(['api', 'PATCH', '/api/v1/persons/1', '--input-file', '-'], { env, stdin: '{}' });
  expect(ended.code).toBe(exitCodes.unknownOutcome);
});

test('a damaged local copy says how to go on, and shows no data', async () => {
  persons = Array.from({ length: 300 }, (_, id) => ({ id: String(id), jobTitle: 'Zimmermann'.repeat(300) }));
  await runHr(['sync', 'persons'], { env });
  const file = join(home, 'default', 'mirror.db');
  const bytes = await readFile(file);
  // The beginning stays, so that it can be opened.
  await writeFile(file, bytes.fill(7, bytes.length / 2));
  const { code, stderr } = await runHr(['persons', 'list', '--no-sync'], { env });
  expect(code).toBe(exitCodes.failure);
  expect(stderr).toContain('mirror.db: this file is not a usable mirror.');
  expect(stderr).toContain('delete this one and sync again');
  expect(stderr).not.toContain('Zimmermann');
});

test('a folder that others can change is refused, and so is a profile that is the folder itself', async () => {
  await expect(runHr(['auth', 'login', '--profile', '..'], { env })).resolves.toMatchObject({ code: exitCodes.usage });
  await chmod(home, 0o777);
  await expect(runHr(['auth', 'status'], { env })).resolves.toMatchObject({
    code: exitCodes.failure,
    stderr: `hr: ${home}: other users can change its files. Run: chmod go-w ${home}\n`,
  });
  // Nor does it run compiled code of that folder.
  const { NODE_COMPILE_CACHE: _ofTests, ...processEnv } = process.env;
  const start = () =>
    execFileSync(process.execPath, [...condition, main, '--version'], { env: { ...processEnv, ...env } });
  start();
  expect(await readdir(home)).toEqual([]);
  await chmod(home, 0o700);
  start();
  expect(await readdir(home)).toEqual(['cache']);
});
