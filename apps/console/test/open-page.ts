import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchChromium } from 'tooling-chromium';
import { expect } from 'vitest';
import { stopIntercepting } from './intercept.ts';
import type { TestConsole, TestUser } from './start-test-console.ts';
import { sessionCookie } from '../src/backend/sessions.ts';

export interface PageOptions extends BrowserContextOptions {
  readonly user?: TestUser;
  /** What the page opens after the sign-in. */
  readonly path?: string;
  /** Where the clock of the page stands; the test moves one that is `manual`. */
  readonly now?: string;
  /** Prepares the page before it opens the path, such as by other responses. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A page of a signed-in person. An error in the page fails the test that closes it. */
export interface TestPage extends AsyncDisposable {
  readonly page: Page;
  /** Requests to the backend since the page was opened or the list was cleared, without those in the background. */
  readonly requests: string[];
}

/** A busy machine is no fault of the code. */
const PATIENCE_MS = 120_000;

/** The browser of this process, which its test files share. It ends with the process. */
export const browser = await launchChromium();

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages that no test uses, by the settings of their contexts: to start a page costs more than to open a screen. */
const idle = new Map<string, Page[]>();

/** Signs a person in, and opens a screen. The locale, the time zone and the size are fixed. */
export async function openPage(
  server: Pick<TestConsole, 'origin' | 'session'>,
  options: PageOptions = {},
): Promise<TestPage> {
  const { user, path = '/', now, prepare, colorScheme = 'light', viewport, ...settings } = options;
  const fixed = { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce', ...settings } as const;
  const kind = JSON.stringify([fixed, now]);
  const page = idle.get(kind)?.pop() ?? (await newPage(fixed, now));
  const context = page.context();
  const errors: string[] = [];
  const requests: string[] = [];
  const note = (error: string): void => {
    // The browser itself reports each failed request, and ends what is still loading when the person goes on.
    if (!/^Failed to load resource|Failed to fetch dynamically imported module/.test(error)) errors.push(error);
  };
  page.on('pageerror', (error) => note(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text());
  });
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    // What the page reads anew after a change is no request of the person.
    const isBackground = pathname === '/bff/events' || 'x-hr-background' in request.headers();
    if (pathname.startsWith('/bff/') && !isBackground) requests.push(`${request.method()} ${pathname}${search}`);
  });
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
  const value = server.session(user);
  const { hostname } = new URL(server.origin());
  const place = { domain: hostname, path: '/', httpOnly: true, sameSite: 'Strict' as const };
  await context.addCookies([{ name: sessionCookie({ origin: undefined }).name, value, ...place }]);
  await prepare?.(page);
  await page.goto(`${server.origin()}${path}`);
  await settled(page);
  return {
    page,
    requests,
    [Symbol.asyncDispose]: async () => {
      await page.evaluate(() => localStorage.clear());
      // In the same process, which a page of nothing would end.
      await page.goto(`${server.origin()}/icon.svg`);
      page.removeAllListeners();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await stopIntercepting(page);
      await Promise.all(context.pages().map(async (each) => each === page || (await each.close())));
      await context.clearCookies();
      idle.set(kind, [...(idle.get(kind) ?? []), page]);
      expect(errors).toEqual([]);
    },
  };
}

async function newPage(settings: BrowserContextOptions, now: string | undefined): Promise<Page> {
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(PATIENCE_MS);
  if (now === 'manual') await context.clock.install();
  else if (now !== undefined) await context.clock.setFixedTime(now);
  return await context.newPage();
}

/** Waits until a screen has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#content h1').waitFor();
  await page.locator('#content [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Goes to another screen as a link does. To load the page anew costs six times as much. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(undefined, '', to), path);
}

/** Lets pages read their screens again until one shows what is expected: a page may not listen to changes yet. */
export async function announceUntil({ live }: Pick<TestConsole, 'live'>, expected: Locator): Promise<void> {
  const isShown = async (): Promise<boolean> => {
    live.announce();
    // The next announcement would cancel the request.
    return await expected.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isShown).toBe(true);
}

/** Returns the widths that a screen needs with text of the normal size, and twice as large (WCAG 2.2, 1.4.4). */
export async function screenWidths(page: Page): Promise<number[]> {
  return await page.evaluate(async () => {
    const { style } = document.documentElement;
    const widths: number[] = [];
    for (const size of ['100%', '200%']) {
      style.fontSize = size;
      // What observes sizes draws the screen anew.
      // oxlint-disable-next-line no-await-in-loop -- one size after the other
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      widths.push(document.querySelector('main')?.scrollWidth ?? 0);
    }
    style.fontSize = '';
    return widths;
  });
}

/** Returns the controls that are smaller than 24 px (WCAG 2.2, 2.5.8), and those that cut off their content. */
export async function poorTargets(page: Page): Promise<string[]> {
  return await page.locator('main, [role=dialog]').evaluateAll((parts) => {
    const controls = parts.flatMap((part) => [
      ...part.querySelectorAll('button, a, input, textarea, select, [role=radiogroup]'),
    ]);
    const poor = controls.filter((control) => {
      const { width, height } = control.getBoundingClientRect();
      // The width of a bar is a number of days, and its text may stand beside it.
      const isBar = control.matches('[style*=width]');
      const isCut =
        !isBar && control.matches('button, [role=radiogroup]') && control.scrollWidth > control.clientWidth + 1;
      const isSmall = height < 24 || (width < 24 && !isBar);
      // The radio buttons of a segmented control have labels instead of a size.
      return isCut || (isSmall && width > 0 && control.checkVisibility({ opacityProperty: true }));
    });
    return poor.map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
}

/** Expects no violation of WCAG 2.2 AA in a page in both themes, as far as a program can tell. It stays in the other theme. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const violations = await violationsOf(page, [
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
  // Only colours differ in the other theme.
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const colorScheme = isDark ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  violations.push(...(await violationsOf(page, ['color-contrast', 'link-in-text-block'])));
  expect(violations).toEqual([]);
}

async function violationsOf(page: Page, runOnly: string[]): Promise<string[]> {
  return await page.evaluate(async (rules) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    // The elements without a violation are not of interest, and cost the most.
    const { violations } = await run({ runOnly: rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('\n  ')}`);
  }, runOnly);
}
