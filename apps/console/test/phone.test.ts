import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goTo, openPage, poorTargets, screenWidths, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();

/** Every view that has an address, by its title. */
const views = {
  Heute: ['/'],
  Personen: ['/people', '/people?person=100007'],
  'Michael Ziegler': ['', '?tab=contracts', '?tab=time', '?tab=absences', '?tab=history'].map(
    (tab) => `/people/100007${tab}`,
  ),
  'Anschrift ändern': ['/people/100007/address'],
  'Bankverbindung ändern': ['/people/100007/bank-details'],
  'Vertrag 1000-20007': ['/contracts/1000-20007', '/contracts/1000-20007?view=table'],
  Zahlungen: ['/payments', '/payments?state=all'],
  Sammelaufträge: ['/payments?view=batches'],
  'Zahlungen einreichen': ['/payments?view=submit', '/payments?view=table'],
  Abwesenheiten: ['', '&range=quarter', '&view=table'].map((view) => `/absences?month=2026-10${view}`),
  Zeiten: ['person=100007', 'person=100007&day=2026-10-14', 'team=true&group=it'].map(
    (view) => `/time?month=2026-10&${view}`,
  ),
  Schnittstelle: ['/api'],
  System: ['', '?tab=clients', '?tab=webhooks', '?tab=labels', '?tab=audit'].map((tab) => `/system${tab}`),
  'Diese Seite gibt es nicht': ['/nowhere'],
};

/** Widths of a page at which columns begin to lack room, between those of a phone and of a desk. */
const WIDTHS = [520, 640, 760, 880, 1000, 1120];

/** Counts the rows of grids, and the page itself, if they need more width than they have. */
async function cutRows(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    // What observes sizes draws the screen anew.
    // oxlint-disable-next-line no-await-in-loop -- one frame after the other
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    // A timeline scrolls by itself.
    const rows = document.querySelectorAll('html, [role=grid]:not([aria-colcount]) [role=row]');
    return [...rows].filter((row) => row.scrollWidth > row.clientWidth).length;
  });
}

test('every view fits a phone of 360 px, also with text twice as large, and any wider page, and its targets have at least 24 px', async () => {
  await expect.poll(() => server.live.health.state).toBe('current');
  await using opened = await openPage(server, { viewport: { width: 360, height: 740 }, locale: 'de-DE' });
  const { page } = opened;
  for (const [title, view] of Object.entries(views).flatMap(([name, paths]) =>
    paths.map((path) => [name, path] as const),
  )) {
    // oxlint-disable no-await-in-loop -- one view after the other
    await goTo(page, view);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await settled(page);
    await expect.poll(() => screenWidths(page), { message: view }).toEqual([360, 360]);
    expect([view, await poorTargets(page)]).toEqual([view, []]);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expect.poll(() => poorTargets(page), { message: view }).toEqual([]);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      await expect.poll(() => cutRows(page), { message: `${view} at ${width} px` }).toBe(0);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    // oxlint-enable no-await-in-loop
  }
});
