import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from 'tooling-vitest/demo';
import { launchChromium } from 'tooling-chromium';
import { afterAll, beforeAll, test } from 'vitest';
import { expectScreenshot } from './expect-screenshot.ts';
import { openPage, settled } from './open-page.ts';
import { startTestConsole } from './start-test-console.ts';

// A demo of its own: what other tests change would show.
const resources = new AsyncDisposableStack();
let browser: Awaited<ReturnType<typeof launchChromium>>;
let server: Awaited<ReturnType<typeof startTestConsole>>;

beforeAll(async () => {
  await mkdir(join(import.meta.dirname, '../screenshots'), { recursive: true });
  const demo = await startDemo();
  resources.defer(demo.stop);
  browser = resources.adopt(await launchChromium(), (opened) => opened.close());
  server = resources.use(await startTestConsole({ HR_BASE_URL: demo.url }));
});

afterAll(() => resources.disposeAsync());

const NOW = '2026-10-29T09:30:00+01:00';

/** Opens a screen at a fixed moment. Moments, durations and ids that differ from run to run are replaced in responses. */
async function open(
  path: string,
  options: Parameters<typeof openPage>[2] = {},
): Promise<Awaited<ReturnType<typeof openPage>>> {
  const opened = await openPage(browser, server, options);
  const { page } = opened;
  await page.clock.setFixedTime(NOW);
  await page.route('**/bff/**', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({
      response,
      body: text
        .replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"/g, JSON.stringify(new Date(NOW)))
        .replaceAll(/"cursor":"[\d-]+"/g, `"cursor":"${NOW.slice(0, 10)}"`)
        .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":12')
        .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '01a5c0de-0000-7000-8000-000000000000'),
    });
  });
  await page.route('**/bff/events', (route) => route.abort());
  await page.goto(`${server.origin()}${path}`);
  await settled(page);
  return opened;
}

const screens = [
  ['today', '/'],
  ['people', '/people'],
  ['payments', '/payments'],
  ['absences', '/absences'],
  ['time', '/time'],
  ['api', '/api'],
  ['system', '/system'],
  ['contract', '/contracts/1000-20007'],
  ['person', '/people/100007'],
] as const;

test('a dark page in German looks as in the gallery', async () => {
  await using opened = await open('/people?person=100012', { colorScheme: 'dark', locale: 'de-DE' });
  await opened.page.getByRole('complementary').waitFor();
  await expectScreenshot(opened.page, 'people-dark-german');
});

test.for(screens)('the screen %s looks as in the gallery', async ([name, path]) => {
  await using opened = await open(path);
  await expectScreenshot(opened.page, name);
});
