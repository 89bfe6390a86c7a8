import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { AbsencesScreen } from '../src/absences/absences-routes.ts';
import { teamChoices, teamOf, teamParts, type Member } from '../src/model/team.ts';
import type { TeamPage, TimeScreen } from '../src/time/time-routes.ts';
import { expectAccessible, openPage, screenWidths, settled } from './open-page.ts';
import { consoleOfFile } from './start-test-console.ts';

const server = await consoleOfFile();

const MONTH = '2026-10';

async function get<Screen>(path: string): Promise<Screen> {
  const response = await server.signIn()(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Screen;
}

/** Persons, of whom some have no manager, one who is gone, or each other. */
const companies: fc.Arbitrary<Member[]> = fc
  .array(
    fc.record({
      manager: fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 12 }).map(String)),
      groups: fc.subarray(['a', 'b', 'c']),
      entity: fc.constantFrom('', '1', '2'),
      place: fc.constantFrom('', 'Köln', 'Hamburg'),
      status: fc.constantFrom('', 'ACTIVE', 'INACTIVE'),
    }),
    { maxLength: 12 },
  )
  .map((people) => people.map((person, index) => ({ ...person, id: String(index), name: `Person ${index}` })));

test('a choice leaves as many as it says, and the team of a manager is closed', () => {
  fc.assert(
    fc.property(companies, (people) => {
      const choices = teamChoices(people);
      for (const part of teamParts) {
        for (const { value, count } of choices[part]) expect(teamOf(people, { [part]: value })).toHaveLength(count);
      }
      for (const { value } of choices.manager) {
        const team = teamOf(people, { manager: value });
        const above = new Set([value, ...team.map(({ id }) => id)]);
        expect(team).toEqual(people.filter(({ id, manager }) => id !== value && above.has(manager)));
      }
      expect(teamOf(people, {})).toEqual(people);
    }),
  );
});

test('People, Absences and Time show the same team of a manager, whose managers have teams', async () => {
  await vi.waitUntil(() => server.live.health.state === 'current', { timeout: 120_000 });
  const { choices, count: everybody } = await get<TeamPage>(`/bff/time/team?month=${MONTH}`);
  expect(everybody).toBe(server.cloud.mirror.countPersons());
  const managers = (choices?.manager ?? []).toSorted((one, other) => other.count - one.count);
  const direct = Map.groupBy(server.cloud.mirror.persons(), ({ managerId }) => managerId ?? '');
  // Somebody who has more than the direct reports.
  const {
    value: manager,
    name = '',
    count,
  } = managers.find((one) => (direct.get(one.value)?.length ?? 0) < one.count) ?? { value: '', count: 0 };
  expect(count).toBeGreaterThan(1);
  const absences = await get<AbsencesScreen>(`/bff/absences?from=${MONTH}-01&to=${MONTH}-31&manager=${manager}`);
  const rows: TeamPage['rows'][number][] = [];
  for (let from: string | undefined = '0'; from !== undefined;) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page: TeamPage = await get(`/bff/time/team?month=${MONTH}&manager=${manager}&from=${from}`);
    rows.push(...page.rows);
    from = page.next;
  }
  expect(rows).toHaveLength(count);
  expect(rows.map(({ id }) => id)).toEqual(absences.people.map(({ id }) => id));
  for (const { id, sums } of rows.slice(0, 5)) {
    // oxlint-disable-next-line no-await-in-loop
    expect(sums).toEqual((await get<TimeScreen>(`/bff/time?person=${id}&month=${MONTH}`)).account?.sums ?? {});
  }

  await using opened = await openPage(server, { path: '/people', viewport: { width: 1280, height: 2000 } });
  const { page } = opened;
  const choose = async (): Promise<void> => {
    await page.getByLabel('Manager').selectOption(`${name} (${count})`);
    await page.waitForURL(new RegExp(`manager=${manager}`));
    await settled(page);
  };
  await choose();
  await page.getByText(`${count} of ${everybody}`).waitFor();
  // Of somebody in it, the side panel leads to theirs.
  const other = managers.find(({ value }) => rows.some(({ id }) => id === value));
  await page.getByRole('row', { name: other?.name ?? '' }).click();
  await page.getByRole('link', { name: `Show team (${other?.count})` }).click();
  await page.getByText(`${other?.count} of ${everybody}`).waitFor();
  await page.getByRole('link', { name: 'Absences' }).click();
  await choose();
  await page.getByText(new RegExp(`^${count} people`)).waitFor();
  await page.getByRole('link', { name: 'Time', exact: true }).click();
  await page.getByText('Team', { exact: true }).click();
  await choose();
  await page.getByText(`${count} people`).waitFor();
  const grid = page.getByRole('grid', { name: /^Times of the team/ });
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => screenWidths(page)).toEqual([360, 360]);
  await expectAccessible(page);
  // A row leads to the person, and Back to the team.
  await grid.getByRole('row').nth(1).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`person=${rows[0]?.id}`));
  await page.goBack();
  await page.getByText(`${count} people`).waitFor();
});
