import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { launchChromium } from 'tooling-chromium';
import { expect, onTestFinished, test } from 'vitest';

const html = '<!doctype html><script type="module" src="/page.js"></script>';

async function bundle(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(new URL('msw-page.ts', import.meta.url)),
    platform: 'browser',
    resolve: { conditionNames: ['@hr/source', 'browser'] },
    write: false,
    // Such as about an import that only Node has.
    onLog(_, { message }) {
      throw new Error(message);
    },
  });
  return output[0].code;
}

/** A site with the page and MSW's worker; gives its address. */
async function site(): Promise<string> {
  const worker = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'));
  const scripts: Record<string, string> = {
    '/page.js': await bundle(),
    '/mockServiceWorker.js': await readFile(worker, 'utf8'),
  };
  const server = createServer(({ url = '' }, response) => {
    const script = scripts[url];
    response.writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' });
    response.end(script ?? html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('in a browser the fake answers the fetches of the page, and leaves others alone', async () => {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(await site());
  const report = await page.evaluate<Record<string, unknown>>('report');
  expect(faults).toEqual([]);
  expect(report).toEqual({
    token: {
      access_token: expect.stringMatching(/^fake-token-\d+$/) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'api:use',
    },
    persons: 5,
    patched: expect.objectContaining({ id: 'p/1 ü', bankDetails: { iban: 'DE02120300000000202051' } }),
    refused: [
      400,
      'application/problem+json',
      expect.objectContaining({
        errors: [
          { pointer: '/since', code: 'unknown-name', detail: 'is not known here; allowed: changedSince, after' },
        ],
      }),
    ],
    lost: 'TypeError: Failed to fetch',
    isTruncatedAnError: true,
    page: html,
    requests: [
      ['requestToken', 200],
      ['listPersons', 200],
      ['updatePerson', 200],
      ['listPersons', 400],
      ['listPersons', undefined],
      ['listPersons', 200],
    ],
  });
});
