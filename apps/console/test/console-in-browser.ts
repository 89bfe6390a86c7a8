import { launchChromium } from 'tooling-chromium';
import type { Browser } from 'tooling-chromium';
import { afterAll } from 'vitest';
import { startTestConsole } from './start-test-console.ts';
import type { TestConsole } from './start-test-console.ts';

/** Starts a console and a browser for the tests of a file, and ends both after them. */
export async function consoleInBrowser(): Promise<{ readonly server: TestConsole; readonly browser: Browser }> {
  const [server, browser] = await Promise.all([startTestConsole(), launchChromium()]);
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, browser };
}
