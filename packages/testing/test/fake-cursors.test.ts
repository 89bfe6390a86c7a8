import { applyDelta } from '@hr/schemas/rules';
import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { call, requestToken } from './call.ts';

let now: number;
let fake: RunningFakeHrCloud;
beforeEach(async () => {
  now = Date.parse('2026-03-02T12:00:00Z');
  fake = await startFakeHrCloud({ clock: () => now });
  fake.state('a contract', { payrollContractId: 'c', personId: '1' });
  onTestFinished(() => fake.stop());
});

const persons = 'GET /api/v1/persons';
const decisions = 'GET /api/v1/variable-payment-decisions';
const changes = 'GET /api/v1/changes';

async function cursorOf(request = persons): Promise<string> {
  return (await call(fake, request)).headers.get('hr-cursor') ?? '';
}

async function read(request: string): Promise<unknown> {
  return (await call(fake, request)).json;
}

const patch = (iban: string) => call(fake, 'PATCH /api/v1/persons/1', { body: { bankDetails: { iban } } });

describe('a cursor', () => {
  test('is opaque, and belongs to its client', async () => {
    const cursor = await cursorOf();
    expect(cursor).toMatch(/^[\w.-]{20,500}$/);
    fake.state('an API client', { clientId: 'other', clientSecret: 's' });
    const issued = await requestToken(fake, { client_id: 'other', client_secret: 's' });
    const { access_token } = (await issued.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const detail = '/after is not a cursor of this client.';
    expect(await call(fake, `${persons}?after=${cursor}`, { headers })).toMatchObject({
      status: 400,
      json: { detail },
    });
    expect((await call(fake, `${persons}?after=${cursor}`)).status).toBe(200);
  });

  test('with any other character is rejected', async () => {
    const cursor = await cursorOf();
    const characters = fc.constantFrom('a', 'B', 'z', 'Z', '0', '9', '-', '_', '.');
    const property = fc.asyncProperty(fc.nat(cursor.length - 1), characters, async (at, character) => {
      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
      const { status } = await call(fake, `${persons}?after=${changed}`);
      expect(status).toBe(changed === cursor ? 200 : 400);
    });
    await fc.assert(property, { numRuns: 50 * testScale });
  });

  test.each([
    ['database', () => fake.reset()],
    ['grants', () => fake.state('a client with grants', { systems: ['master'] })],
    ['history', () => fake.expireCursors('history')],
  ])('expires: %s', async (reason, act) => {
    const cursor = await cursorOf();
    act();
    const problem = { status: 410, type: 'urn:hr-cloud:problem:cursor-expired', reason };
    expect(await read(`${persons}?after=${cursor}`)).toMatchObject(problem);
    expect(await read(`${changes}?after=${cursor}&wait=50`)).toMatchObject(problem);
    expect((await call(fake, `${persons}?after=${await cursorOf()}`)).status).toBe(200);
  });

  test('of another fake expires', async () => {
    await using other = await startFakeHrCloud();
    expect(await call(other, `${persons}?after=${await cursorOf()}`)).toMatchObject({
      status: 410,
      json: { reason: 'database' },
    });
  });

  test('has the changes of a system, whatever day they are dated', async () => {
    const cursor = await cursorOf();
    fake.state('a person who changed', { id: '1', systems: ['time'], since: '2020-01-01' });
    expect(await read(`${persons}?after=${cursor}`)).toEqual([{ id: '1', keyNumber: expect.any(String) as string }]);
  });
});

function submit(amount: number, key: string, headers = {}) {
  return call(fake, 'POST /api/v1/payrollContract/c/variable-payments?billingPeriod=2026-01', {
    body: { compensationComponentId: 'BONUS', amount },
    headers: { 'idempotency-key': key, ...headers },
  });
}

describe('decisions', () => {
  test('after a cursor are those made since, in the order of submission', async () => {
    await submit(1, 'k1');
    await submit(2, 'k2');
    await submit(3, 'k3');
    const [first, second, third] = fake.payments.list().map(({ id }) => id);
    fake.payments.approve(third ?? '');
    const cursor = await cursorOf(decisions);
    now += 1000;
    fake.payments.reject(second ?? '', 'Already paid.');
    fake.payments.approve(first ?? '', 'As agreed.');
    const decidedAt = '2026-03-02T12:00:01.000Z';
    const [approved, rejected] = [
      { amount: 1, idempotencyKey: 'k1', state: 'approved', decidedAt, reason: 'As agreed.' },
      { amount: 2, idempotencyKey: 'k2', state: 'rejected', decidedAt, reason: 'Already paid.' },
    ];
    expect(await read(`${decisions}?after=${cursor}`)).toMatchObject([approved, rejected]);
    expect(await read(decisions)).toMatchObject([approved, rejected, { amount: 3, idempotencyKey: 'k3' }]);
    expect(fake.payments.list()).toMatchObject([approved, rejected, { amount: 3 }]);
    expect(await read(`${changes}?after=${cursor}`)).toMatchObject({ changed: ['decisions'] });
  });

  test('are those of payments that the client submitted', async () => {
    fake.state('an API client', { clientId: 'other', clientSecret: 's' });
    const issued = await requestToken(fake, { client_id: 'other', client_secret: 's' });
    const { access_token } = (await issued.json()) as { access_token: string };
    const cursor = await cursorOf();
    await submit(1, 'k', { authorization: `Bearer ${access_token}` });
    fake.payments.approveAll();
    expect(await read(decisions)).toEqual([]);
    expect(await read(`${changes}?after=${cursor}`)).toMatchObject({ changed: [] });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await call(fake, decisions, { headers })).json).toMatchObject([{ amount: 1 }]);
  });
});

/** Lets a request begin to wait. */
const begun = () => new Promise((resolve) => setTimeout(resolve, 50));

// Shorter than the waits.
describe('a wait for changes', { timeout: 20_000 }, () => {
  test('ends with the next change that the client may see', async () => {
    fake.state('a client with grants', { systems: ['master', 'time'] });
    const cursor = await cursorOf();
    const waiting = read(`${changes}?after=${cursor}&wait=50`);
    await begun();
    fake.contracts.add({ personId: '1', payrollContractId: 'c', personGroupCode: 'hidden' });
    fake.absences.add({ personId: '1', startDate: '2026-03-02' });
    const response = (await waiting) as { cursor: string };
    expect(response).toEqual({ cursor: expect.any(String) as string, changed: ['absences'] });
    expect(await read(`${changes}?after=${response.cursor}`)).toMatchObject({ changed: [] });
  });

  test('names each kind that changed, in order', async () => {
    const cursor = await cursorOf();
    fake.state('an approved payment', { payrollContractId: 'c', billingPeriod: '2026-01' });
    fake.state('a salary', { payrollContractId: 'c', year: 2026, month: 1 });
    fake.state('an absence', { personId: '1' });
    fake.state('a day of time bookings', { personId: '1', date: '2026-03-02' });
    await patch('DE00X');
    const changed = ['persons', 'timeBookings', 'absences', 'salaries', 'decisions'];
    expect(await read(`${changes}?after=${cursor}`)).toMatchObject({ changed });
    fake.state('a client with grants', { operations: ['getChanges', 'listAllSalaries'] });
    expect(await read(`${changes}?after=${cursor}`)).toMatchObject({ changed: ['salaries'] });
  });

  test('reports salaries that the erasure of their person hides', async () => {
    fake.state('a salary', { payrollContractId: 'c', year: 2026, month: 1 });
    const cursor = await cursorOf();
    fake.state('an erased person', { id: '1' });
    expect(await read(`${changes}?after=${cursor}`)).toMatchObject({ changed: ['persons', 'salaries'] });
  });

  test('ends when the fake is reset', async () => {
    const waiting = call(fake, `${changes}?after=${await cursorOf()}&wait=50`);
    await begun();
    fake.reset();
    expect((await waiting).status).toBe(410);
  });

  test('ends when the caller leaves, or the fake stops', async () => {
    const url = `${fake.url}/api/v1/changes?after=${await cursorOf()}&wait=50`;
    const headers = { authorization: 'Bearer contract-token' };
    const controller = new AbortController();
    const left = fetch(url, { headers, signal: controller.signal });
    const stopped = fetch(url, { headers });
    await begun();
    controller.abort();
    await expect(left).rejects.toThrow('aborted');
    await fake.requestsOf('getChanges');
    await Promise.all([expect(stopped).rejects.toThrow('fetch failed'), fake.stop()]);
    await fake.requestsOf('getChanges', 2);
  });
});

// The law: a copy that is kept by changes after cursors alone equals the full list, whatever is read in between.

type Row = Readonly<Record<string, unknown>>;
type Elements = Map<string, object>;

/** How each list becomes the elements of a copy. */
const lists: Readonly<Record<string, (element: Row, elements: Elements) => void>> = {
  persons(element, elements) {
    const id = String(element['id']);
    take(element, id, elements, applyDelta((elements.get(id) ?? { id }) as { id: string }, element as { id: string }));
  },
  'time-bookings'({ personId, days }, elements) {
    for (const day of days as Row[]) take(day, `${String(personId)} ${String(day['date'])}`, elements);
  },
  absences: (element, elements) => take(element, `${String(element['personId'])} ${String(element['id'])}`, elements),
  'variable-payment-decisions': (element, elements) => take(element, String(element['amount']), elements),
};

function take(element: Row, key: string, elements: Elements, content: object = element): void {
  if (element['deleted'] ?? element['erased']) elements.delete(key);
  else elements.set(key, content);
}

interface Copy {
  readonly elements: Elements;
  readonly cursor: string;
}

/** Reads what changed, or everything at first, and compares the copy with the full list. */
async function readAndCompare(name: string, copies: Map<string, Copy>): Promise<void> {
  const path = `GET /api/v1/${name}`;
  const copy = copies.get(name);
  const elements: Elements = copy?.elements ?? new Map<string, object>();
  const { json, headers } = await call(fake, copy ? `${path}?after=${copy.cursor}` : path);
  for (const element of json as Row[]) lists[name]?.(element, elements);
  const full: Elements = new Map();
  for (const element of (await read(path)) as Row[]) lists[name]?.(element, full);
  expect(elements).toEqual(full);
  copies.set(name, { elements, cursor: headers.get('hr-cursor') ?? '' });
}

const id = fc.constantFrom('1', '2');
const date = fc.constantFrom('2026-03-02', '2026-03-03');
const number = fc.integer({ min: 1, max: 3 });
/** What changes the fake, and passes time. */
const acts: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.record({ id, jobTitle: number.map(String) }).map((person) => () => fake.state('a person', person)),
  fc.record({ personId: id, date }).map((day) => () => fake.state('a day of time bookings', day)),
  fc.record({ personId: id, date }).map((day) => () => fake.state('a deleted day of time bookings', day)),
  fc
    .record({ personId: id, id: number.map(String), startDate: date })
    .map((absence) => () => fake.state('an absence', absence)),
  fc.record({ personId: id, id: number.map(String) }).map((absence) => () => fake.state('a deleted absence', absence)),
  fc.record({ id }).map((person) => () => fake.state('a deleted person', person)),
  fc.record({ id }).map((person) => () => fake.state('an erased person', person)),
  fc
    .record({ id, systems: fc.constant(['time'] as const), since: date })
    .map((person) => () => fake.state('a person who changed', person)),
  number.map((iban) => () => patch(`DE00X${iban}`)),
  fc.nat(2).map((at) => () => {
    const open = fake.payments.list().filter(({ state }) => state === 'submitted')[at];
    if (open) fake.payments.reject(open.id);
  }),
  fc.constantFrom(1, 86_400_000).map((milliseconds) => () => void (now += milliseconds)),
);
const reads = fc.constantFrom(...Object.keys(lists));

test('a copy that is kept by cursors alone equals the full list', async () => {
  const steps = fc.array(fc.oneof(acts, reads), { minLength: 1, maxLength: 30 });
  const property = fc.asyncProperty(steps, async (sequence) => {
    fake.reset();
    fake.state('a contract', { payrollContractId: 'kept', personId: 'kept' });
    for (const amount of [1, 2, 3])
      fake.payments.add({ payrollContractId: 'kept', billingPeriod: '2026-01', compensationComponentId: 'B', amount });
    const copies = new Map<string, Copy>();
    for (const step of [...sequence, ...Object.keys(lists)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await (typeof step === 'string' ? readAndCompare(step, copies) : step());
    }
  });
  await expect(fc.assert(property, { numRuns: 40 * testScale })).resolves.toBeUndefined();
});
