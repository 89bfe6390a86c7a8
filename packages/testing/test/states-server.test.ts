import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hrContracts } from '../src/provider/command-line/hr-contracts.ts';

const root = join(import.meta.dirname, '..');
const pacts = ['../auth/pacts', '../client/pacts', '../../apps/cli/pacts', '../../apps/console/pacts']
  .map((folder) => join(root, folder))
  .filter((folder) => existsSync(folder));

let server: ReturnType<typeof spawn>;
let line: string;

beforeAll(async () => {
  const page = readFileSync(join(root, 'docs/provider-states.md'), 'utf8');
  const [, program = ''] = /`states-server\.ts`\n\n```ts\n(.*?)```/s.exec(page) ?? [];
  const folder = join(root, 'reports', `states-${process.pid}`);
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'states-server.ts');
  await writeFile(file, program);
  server = spawn(process.execPath, ['--conditions=@hr/source', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!server.stdout) throw new Error('The server of states has no output.');
  [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  return () => rm(folder, { recursive: true });
});
afterAll(() => void server.kill());

async function run(command: string, ...args: readonly string[]) {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text, done) => {
      printed.push(String(text));
      (done as (() => void) | undefined)?.();
      return true;
    });
  const [url = '', states = ''] = line.match(/http:\S+(?<!,)/g) ?? [];
  const env = { HR_TOKEN: 'contract-token', HR_TOKEN_WITHOUT_SCOPE: 'token-without-scope' };
  const place = command === 'verify' ? '--url' : '--base-url';
  const exit = await hrContracts([command, ...args, place, url, '--states-url', states], env);
  vi.restoreAllMocks();
  return { exit, printed: printed.join('') };
}

test('with the reference server of states, the fake conforms', async () => {
  const { exit, printed } = await run('conform');
  expect(printed).toMatch(/^Conforms: (\d+) of \1 checks passed, /m);
  // The cases and contracts of each section, beside what an empty HR cloud cannot show.
  expect(printed).toMatch(/^ {2}4\.1 +\d\d +0 /m);
  expect(printed).not.toContain('provider state');
  expect(exit).toBe(0);
});

test('the reference server of states lets the fake pass every contract', async () => {
  const { exit, printed } = await run('verify', ...pacts);
  expect(printed).toMatch(/^Verification of hr-cloud passed: (\d+) of \1 interactions passed\.\n/);
  expect(exit).toBe(0);
});
