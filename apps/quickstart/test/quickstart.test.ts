import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const quickstart = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const service = fileURLToPath(new URL('../../service/src/main.ts', import.meta.url));
const MOST_LINES = 25;

let folder: string;
let demo: ChildProcess;
let baseUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-quickstart-'));
  const started = spawn(process.execPath, ['--conditions=@hr/source', service, 'demo'], {
    cwd: folder,
    env: { ...process.env, HR_PORT: '0', HR_DATABASE: 'pglite:memory' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  demo = started;
  let welcome = '';
  for await (const text of started.stdout) {
    welcome += String(text);
    if (welcome.includes('Ctrl-C stops it.')) break;
  }
  baseUrl = /http:\/\/[\d.]+:\d+/.exec(welcome)?.[0] ?? '';
});

afterAll(async () => {
  demo.kill('SIGTERM');
  await once(demo, 'exit');
  await rm(folder, { recursive: true });
});

test('the smallest program uses all of the API against the demo', async () => {
  const run = promisify(execFile)(process.execPath, ['--conditions=@hr/source', quickstart], {
    env: { ...process.env, HR_BASE_URL: baseUrl, NO_COLOR: '1' },
  });
  const { stdout, stderr } = await run;
  expect(stderr).toBe('');
  expect(stdout).toMatchInlineSnapshot(`
    "persons, salaries, bookings, absences: 300, 10, 266, 9; contracts: 322 { street: 'Lindenallee', houseNumber: '7', city: 'Berlin' } [
      {
        payrollContractId: '1000-20001',
        billingPeriod: '2026-12',
        correctionPeriod: '2026-12',
        compensationComponentId: 'BONUS',
        amount: 250
      }
    ]
    "
  `);
});

test('it is as small as it says', async () => {
  const lines = (await readFile(quickstart, 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
});
