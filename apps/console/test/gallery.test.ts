import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDemo, DEMO_UNTIL } from 'tooling-vitest/demo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import workspacePackage from '../../../package.json' with { type: 'json' };
import { recordsFile } from '../src/backend/config.ts';
import { Records } from '../src/backend/records.ts';
import { expectScreenshot } from './expect-screenshot.ts';
import { freePort } from './free-port.ts';
import { intercept } from './intercept.ts';
import { goTo, openPage, settled, type PageOptions, type TestPage } from './open-page.ts';
import { signInCode } from './start-test-console.ts';

const workspace = join(import.meta.dirname, '../../..');
const folder = await mkdtemp(join(tmpdir(), 'hr-start-'));
const database = join(folder, 'database');
await copyDemo(database);
// What other tests change would show in the gallery: the demo of this file is its own.
const start = spawn(`${workspacePackage.scripts.start} --until ${DEMO_UNTIL}`, {
  cwd: workspace,
  shell: true,
  detached: true,
  env: {
    ...process.env,
    PATH: `${join(workspace, 'node_modules/.bin')}:${process.env['PATH']}`,
    HR_DATABASE: `pglite:${database}`,
    HR_PORT: await freePort(),
    HR_CONSOLE_PORT: '0',
    HR_CONSOLE_DATA: folder,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let origin = '';
let code = '';

beforeAll(async () => {
  await mkdir(join(import.meta.dirname, '../screenshots'), { recursive: true });
  let output = '';
  for await (const text of start.stdout) {
    output += String(text);
    if (output.includes('Ctrl-C stops it.') && output.includes('/sign-in#')) break;
  }
  [, origin = '', code = ''] = /(http:\S+)\/sign-in#(\S+)/.exec(output) ?? [];
});

afterAll(async () => {
  if (start.exitCode === null && start.signalCode === null) await stop();
  await rm(folder, { recursive: true });
});

/** As Ctrl-C in a terminal: every process of the group gets the signal. */
async function stop(): Promise<void> {
  const ended = once(start, 'exit');
  process.kill(-(start.pid ?? 0), 'SIGINT');
  await ended;
}

test('pnpm start brings up the service and the console', async () => {
  const response = await fetch(`${origin}/bff/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(await response.json()).toMatchObject({ environment: 'demo', health: { state: 'current' } });
});

const NOW = '2026-10-29T09:30:00+01:00';

function session(): string {
  using records = new Records(recordsFile(folder));
  return records.signIn(signInCode(records))?.token ?? '';
}

/** Opens a screen at a fixed moment. Moments, durations and ids that differ from run to run are replaced in responses. */
async function open(path: string, options: PageOptions = {}): Promise<TestPage> {
  return await openPage(
    { origin: () => origin, session },
    {
      path,
      now: NOW,
      prepare: async (page) => {
        await intercept(page, '/bff/*', (request) =>
          request.forward((text) =>
            text
              .replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"/g, JSON.stringify(new Date(NOW)))
              .replaceAll(/"cursor":"[\d-]+"/g, `"cursor":"${NOW.slice(0, 10)}"`)
              .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":12')
              .replaceAll(
                /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g,
                '01a5c0de-0000-7000-8000-000000000000',
              ),
          ),
        );
        await intercept(page, '/bff/events', (request) => request.fail());
      },
      ...options,
    },
  );
}

const screens = [
  ['today', '/', 'Today'],
  ['people', '/people', 'People'],
  ['payments', '/payments', 'Payments'],
  ['absences', '/absences', 'Absences'],
  ['time', '/time', 'Time'],
  ['time-team', '/time?team=true&month=2026-10&group=it', 'Time'],
  ['api', '/api', 'API'],
  ['system', '/system', 'System'],
  ['contract', '/contracts/1000-20007', 'Contract 1000-20007'],
  ['person', '/people/100007', 'Michael Ziegler'],
] as const;

test('a dark page in German looks as in the gallery', async () => {
  await using opened = await open('/people?person=100012', { colorScheme: 'dark', locale: 'de-DE' });
  await opened.page.getByRole('complementary').waitFor();
  await expectScreenshot(opened.page, 'people-dark-german');
});

describe('the screen', () => {
  let opened: TestPage;
  beforeAll(async () => {
    opened = await open('/api');
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test.for(screens)('%s looks as in the gallery', async ([name, path, title]) => {
    const { page } = opened;
    await goTo(page, path);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await settled(page);
    // The title has it.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await expectScreenshot(page, name);
  });
});

test('one signal ends both', async () => {
  await stop();
  await expect.poll(() => fetch(origin).then(String, String)).toContain('fetch failed');
});
