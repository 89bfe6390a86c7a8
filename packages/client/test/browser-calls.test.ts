import { operations } from '@hr/schemas';
import { startFakeHrCloud } from '@hr/testing/fake';
import { launchChromium } from 'tooling-chromium';
import { expect, onTestFinished, test } from 'vitest';
import { bundlePage } from './bundle-page.ts';

const html = {
  contentType: 'text/html',
  headers: { 'content-security-policy': "default-src 'self'" },
  body: '<!doctype html><script type="module" src="/browser-calls-page.js"></script>',
};

test("a page under the policy default-src 'self' makes every call, and nothing is on its console", async () => {
  const [files, browser, fake] = await Promise.all([
    bundlePage(new URL('browser-calls-page.ts', import.meta.url)),
    launchChromium(),
    startFakeHrCloud({ persons: 300 }),
  ]);
  onTestFinished(() => fake.stop());
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const lines: string[] = [];
  page.on('pageerror', (error) => lines.push(String(error)));
  page.on('console', (message) => lines.push(message.text()));
  // The page and the API have the same origin.
  await page.route(/\/(\?.*)?$/, (route) => route.fulfill(html));
  await page.route('**/*.js', (route) => {
    const body = files.get(new URL(route.request().url()).pathname.slice(1));
    return route.fulfill(body === undefined ? { status: 404 } : { contentType: 'text/javascript', body });
  });

  const login = new URLSearchParams({ id: fake.clientId, secret: fake.clientSecret });
  await page.goto(`${fake.url}/?${login.toString()}`);
  expect(await page.evaluate('report')).toEqual({
    persons: [300, 300],
    updated: 'DE02120300000000202051',
    submitted: [250, '2026-01'],
    withoutAmount: ['invalid-request', 'not-sent'],
    unknownPerson: ['not-found', 'rejected'],
  });
  // The browser's own line about the unknown person.
  expect(lines).toEqual(['Failed to load resource: the server responded with a status of 404 (Not Found)']);
  const called = fake.requests.map(({ operation = 'none' }) => operation);
  expect(new Set(called)).toEqual(new Set(['requestToken', ...Object.keys(operations)]));
  expect(called.filter((operation) => operation === 'requestToken')).toHaveLength(1);
});
