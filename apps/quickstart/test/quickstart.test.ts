import { execFile, type ExecFileException } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const quickstart = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** Runs the program as `pnpm quickstart` does. */
async function runQuickstart(address: string): Promise<{ code: number | undefined; stdout: string; stderr: string }> {
  const env = { ...process.env, HR_BASE_URL: address, NO_COLOR: '1' };
  const run = promisify(execFile)(process.execPath, ['--conditions=@hr/source', quickstart], { env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: ExecFileException) => ({ code: Number(code), stdout: `${stdout}`, stderr: `${stderr}` }),
  );
}

test('against the demo it prints one labelled line a step', async () => {
  const { code, stdout, stderr } = await runQuickstart(inject('demoUrl'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toEqual(
    [
      /^Persons {7}300, the first with a contract is \S+ \S.*$/,
      /^Contracts {5}3\d\d, counted while the persons stream in$/,
      /^Address {7}moved to Lindenallee 7, Berlin$/,
      /^Payment {7}250\.00 BONUS submitted for \d{4}-\d\d, approved by the operator$/,
      /^Salaries {6}24 months, \d+\.\d\d in the last one$/,
      /^Time {10}\d+ persons with time bookings in 2026$/,
      /^Absences {6}\d+ of \S+ \S.* in 2026$/,
    ].map((line) => expect.stringMatching(line) as string),
  );
});

test('without the demo it says how to start it, in one sentence', async () => {
  const { code, stdout, stderr } = await runQuickstart('http://127.0.0.1:2');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    'The demo is not running on http://127.0.0.1:2. Start it in another terminal: npx pnpm@12 start\n',
  );
});

test('with wrong credentials it prints the message alone', async () => {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/livez' ? 200 : 401, { 'content-type': 'application/json' });
    response.end('{"error":"invalid_client"}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stdout, stderr } = await runQuickstart(`http://127.0.0.1:${port}`);
  server.close();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^listPersons: the token provider .*invalid-client\. .*\n$/);
});

test('it has at most 60 lines', async () => {
  const lines = (await readFile(quickstart, 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(60);
});
