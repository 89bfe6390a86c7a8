import { personName } from '@hr/text/person-name';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { AuditEvent } from '../src/backend/operator-client.ts';
import { Problem } from '../src/backend/problem.ts';
import { gapFinder } from '../src/backend/find-gaps.ts';
import type { TodayScreen } from '../src/today/today-routes.ts';
import { intercept } from './intercept.ts';
import { announceUntil, expectAccessible, openPage } from './open-page.ts';
import { consoleOfFile, type BffCaller } from './start-test-console.ts';

const DATE = '2026-11-23';
const NOW = `${DATE}T09:00:00+01:00`;

const server = await consoleOfFile();
let bff: BffCaller;

beforeAll(async () => {
  bff = server.signIn();
  await server.cloud.sync('persons');
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function read(date = DATE): Promise<TodayScreen> {
  return (await (await bff(`/bff/today?date=${date}`)).json()) as TodayScreen;
}

function event(changed: Partial<AuditEvent>): AuditEvent {
  return {
    id: '1',
    at: new Date().toISOString(),
    actor: 'command line',
    access: 'change',
    operation: 'operatorImportFeed',
    requestId: '1',
    elements: 1,
    ...changed,
  };
}

const empty: TodayScreen = {
  away: { count: 0, people: [] },
  starting: [],
  leaving: [],
  payments: { value: { count: 0, oldest: undefined } },
  unknownPayments: { count: 0, oldest: undefined },
  changes: { value: [] },
  missing: { active: 275, gaps: [] },
  syncs: [{ collection: 'persons', syncedAt: NOW, error: undefined }],
};

test('the day has those who are away, start or leave', async () => {
  const { mirror } = server.cloud;
  const { away, starting, leaving, missing } = await read();
  const absent = new Set(Array.from(mirror.absences({ from: DATE, to: DATE }), ({ personId }) => personId));
  expect(away?.count).toBe(absent.size);
  expect(away?.people).toHaveLength(8);
  for (const { id, until = '9' } of away?.people ?? []) {
    expect(absent).toContain(id);
    expect(until >= DATE).toBe(true);
  }
  const persons = [...mirror.persons()];
  const between = (date?: string | null): boolean => !!date && date >= DATE && date <= '2026-12-23';
  expect(starting.map(({ id }) => id)).toEqual(
    persons.filter(({ groupEntryDate }) => between(groupEntryDate)).map(({ id }) => id),
  );
  expect(leaving.map(({ id }) => id).toSorted()).toEqual(
    persons.filter(({ groupExitDate }) => between(groupExitDate)).map(({ id }) => id),
  );
  expect(leaving).not.toEqual([]);
  expect(missing.active).toBe(mirror.countPersons({ status: 'ACTIVE' }));
  expect((await read('2026-10-01')).starting).not.toEqual([]);
});

test.for(['', '?date=2026-02-30', '?date=now'])('the day %s is invalid', async (query) => {
  const response = await bff(`/bff/today${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid-input', errors: [{ pointer: '/date' }] });
});

test('a source that fails does not hide the others', async () => {
  vi.spyOn(server.cloud.operator, 'payments').mockRejectedValue(new Problem('service-unavailable', 'no response.'));
  vi.spyOn(server.cloud.operator, 'auditEvents').mockRejectedValue(new Problem('forbidden', 'status 403.'));
  const { payments, changes, away } = await read();
  expect(payments).toEqual({ problem: { code: 'service-unavailable', detail: 'no response.' } });
  expect(changes).toMatchObject({ problem: { code: 'forbidden' } });
  expect(away?.count).toBeGreaterThan(0);
});

test('changes say who made them, and those of one actor are one', async () => {
  const [one, other] = [...server.cloud.mirror.persons({ limit: 2 })];
  if (!one || !other) throw new Error('The demo has persons.');
  const payrollContractId = one.employments?.[0]?.payrollContractId ?? '';
  const actingPerson = 'local#mara.demo';
  vi.spyOn(server.cloud.operator, 'auditEvents').mockResolvedValue([
    event({ actor: 'time', operation: 'submitVariablePayment', payrollContractId }),
    ...[one.id, other.id, '1', '2', '2'].map((personId) => event({ personId })),
    event({ actor: 'demo', operation: 'requestToken' }),
    event({ actor: 'demo', operation: 'updatePerson', personId: other.id, fields: ['address'], actingPerson }),
    event({ actor: 'demo', operation: 'updatePerson', personId: one.id }),
  ]);
  const { changes } = await read();
  const [shown, otherShown] = [one, other].map((person) => ({ id: person.id, name: personName(person) }));
  expect(changes).toMatchObject({
    value: [
      // The console does not know for whom it did that.
      { author: { way: 'console' }, operation: 'updatePerson', changes: 1, people: [shown] },
      { author: { name: 'Mara Demo', way: 'console' }, changes: 1, people: [otherShown], fields: ['address'] },
      {
        author: { name: 'command line', way: 'import' },
        changes: 5,
        persons: 4,
        people: [{ id: '2' }, { id: '1' }, otherShown],
      },
      { author: { name: 'time', way: 'api' }, operation: 'submitVariablePayment', people: [shown] },
    ],
  });
});

test('what a person lacks is known for active persons, and for days that are over', () => {
  const view = {
    may: (id: string) => id !== '2',
    absences: () =>
      [
        { personId: '1', id: 'a', startDate: '2026-10-23' },
        { personId: '2', id: 'b', startDate: '2026-10-24' },
        { personId: '3', id: 'c', startDate: '2026-09-01', endDate: '2026-11-19' },
      ].values(),
    bookings: () =>
      [
        { personId: '1', days: [{ date: '2026-11-20', targetTime: 8, chargeableTime: 8 }] },
        { personId: '2', days: [{ date: '2026-11-20', targetTime: 8, bookings: [] }] },
        { personId: '3', days: [{ date: '2026-11-19', targetTime: 8 }] },
        { personId: '4', days: [{ date: '2026-11-21', targetTime: 0 }] },
        { personId: '5', days: [{ date: '2026-11-20', targetTime: 8, bookings: [] }] },
      ].values(),
  };
  const gapsOf = gapFinder(view, DATE);
  const lacking = ['1', '2', '3', '4', '5'].map((id) => {
    const known = { status: 'ACTIVE', address: { city: 'Ulm' }, bankDetails: { iban: 'DE02120300000000202051' } };
    return gapsOf({ id, ...known });
  });
  expect(lacking).toEqual([['absenceEnd'], [], [], [], ['bookings']]);
  expect(gapsOf({ id: '1', status: 'ACTIVE' })).toEqual(['bankDetails', 'address', 'absenceEnd']);
  // Whose pay is not shown.
  expect(gapsOf({ id: '2', status: 'ACTIVE' })).toEqual(['address']);
  expect(gapsOf({ id: '1', status: 'INACTIVE' })).toEqual([]);
});

test('a gap leads to the people who have it', async () => {
  await using opened = await openPage(server, { now: '2026-12-01T09:00:00+01:00' });
  const { page } = opened;
  const link = page.getByRole('link', { name: /^\d+ absent without an end/ });
  const [count] = /\d+/.exec(await link.innerText()) ?? [];
  await link.click();
  await page.getByText(new RegExp(`^${count} of \\d+$`)).waitFor();
  expect(page.url()).toContain('/people?missing=absenceEnd');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Missing data' }).selectOption({ label: 'without address' });
  await page.getByText('Nobody matches').waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByText(/^(\d+) of \1$/).waitFor();
});

test('the screen takes one request, and leads to absences and payments', async () => {
  await using opened = await openPage(server, { path: '/people', now: NOW });
  const { page, requests } = opened;
  requests.splice(0, requests.length);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByText('Monday, 23 November 2026').waitFor();
  await page.getByRole('link', { name: 'Approve or reject' }).waitFor();
  expect(requests).toEqual([`GET /bff/today?date=${DATE}`]);
  const all = page.getByRole('link', { name: /^Show all \d+ in absences$/ });
  const [count] = /\d+/.exec(await all.innerText()) ?? [];
  await all.focus();
  await page.keyboard.press('Enter');
  await page.getByText(new RegExp(`^${count} away on Mon,? 23 Nov$`)).waitFor();
});

test('each state is accessible in both themes, and German', async () => {
  await using opened = await openPage(server, {
    locale: 'de-DE',
    now: NOW,
    viewport: { width: 360, height: 740 },
    user: { roles: ['viewer'] },
  });
  const { page } = opened;
  const problem = { problem: { code: 'service-unavailable', detail: '' } } as const;
  const states: readonly (readonly [TodayScreen, readonly string[]])[] = [
    [
      empty,
      [
        'Heute ist niemand abwesend',
        'Keine Zahlung wartet auf Freigabe',
        'Keine Ein- oder Austritte in den nächsten 30 Tagen',
        'Keine Änderung in den letzten 7 Tagen',
        'Es fehlt nichts',
      ],
    ],
    [
      {
        ...empty,
        away: undefined,
        payments: problem,
        changes: problem,
        unknownPayments: { count: 2, oldest: NOW },
        missing: {
          active: 275,
          gaps: [
            { gap: 'bankDetails', count: 3, people: [{ id: '1', name: 'Eva Ohm' }] },
            { gap: 'address', count: 1, people: [{ id: '1', name: 'Eva Ohm' }] },
          ],
        },
        syncs: [{ collection: 'persons', syncedAt: undefined, error: 'timeout' }],
      },
      [
        'Bei 2 Zahlungen ist der Ausgang unbekannt',
        'Die Abwesenheiten werden erstmals abgerufen',
        'Dieser Bereich kann gerade nicht angezeigt werden',
        'ohne Bankverbindung: Eva Ohm, 2 weitere',
        'letzter Versuch fehlgeschlagen: timeout',
      ],
    ],
  ];
  const check = async (...texts: readonly string[]): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop
    for (const text of texts) await page.locator('#content').getByText(text).first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  };
  await check('Heute abwesend', 'Zahlungen anzeigen');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '/bff/today', async (request) => {
    await held;
    await request.respond({ code: 'service-unavailable', detail: '' }, 503);
  });
  await page.reload();
  await page.locator('#content [aria-busy=true]').waitFor();
  await check('Heute');
  release();
  await check('Der Dienst antwortet nicht');
  for (const [response, texts] of states) {
    // oxlint-disable no-await-in-loop -- one page shows one state after the other
    await intercept(page, '/bff/today', (request) => request.respond(response));
    await announceUntil(server, page.getByText(texts[0] ?? '').first());
    await check(...texts);
    // oxlint-enable no-await-in-loop
  }
});
