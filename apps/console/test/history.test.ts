import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientCredentials } from '@hr/auth';
import { createHrClient, type HrClient, type Person } from '@hr/client';
import fc from 'fast-check';
import { startDemo } from 'tooling-vitest/demo';
import { testScale } from 'tooling-vitest/test-scale';
import { afterAll, expect, test } from 'vitest';
import { replacedValues } from '../src/backend/change-authors.ts';
import type { AuditEvent } from '../src/backend/operator-client.ts';
import type { PersonChange } from '../src/backend/person-changes.ts';
import type { EditScreen } from '../src/edit/stored-value.ts';
import type { PersonHistory, PersonScreen } from '../src/person/person-routes.ts';
import type { TodayScreen } from '../src/today/today-routes.ts';
import { startTestConsole, type BffCaller } from './start-test-console.ts';

const IBAN = 'DE02120300000000202051';

// A service of its own: it imports and erases.
const demo = await startDemo();
const server = await startTestConsole({ HR_BASE_URL: demo.url });
const people = { kim: server.signIn({ name: 'Kim' }), lee: server.signIn({ name: 'Lee' }) };
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await demo.stop();
});
await server.cloud.sync('persons');
const other = await newClient();

async function token(): Promise<string> {
  const credentials = { clientId: 'operator', clientSecret: 'operator-secret', scope: 'operator' };
  return (await clientCredentials({ baseUrl: demo.url, ...credentials }).getToken()).value;
}

async function operator(path: string, body: string, type: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${await token()}`, 'content-type': type };
  const response = await fetch(`${demo.url}/operator/v1/${path}`, { method: 'POST', headers, body });
  expect(response.ok).toBe(true);
  return await response.json();
}

/** Another program. */
async function newClient(): Promise<{ readonly clientId: string; readonly hr: HrClient }> {
  const body = JSON.stringify({ name: 'Self-service', scope: 'api:use' });
  const credentials = (await operator('clients', body, 'application/json')) as {
    clientId: string;
    clientSecret: string;
  };
  const baseUrl = demo.url;
  return {
    clientId: credentials.clientId,
    hr: createHrClient({ baseUrl, auth: clientCredentials({ baseUrl, ...credentials }) }),
  };
}

async function importRecords(...records: object[]): Promise<void> {
  await operator('feed', records.map((record) => JSON.stringify(record)).join('\n'), 'application/x-ndjson');
}

/** What the master system says of a person. */
async function masterRecord(id: string): Promise<object> {
  const headers = { authorization: `Bearer ${await token()}` };
  const exported = await fetch(`${demo.url}/operator/v1/persons/${id}/export`, { headers });
  const { sources } = (await exported.json()) as { sources: { kind: string; document: object }[] };
  return { kind: 'person', ...sources.find(({ kind }) => kind === 'person')?.document };
}

async function history(id: string, caller: BffCaller = people.kim): Promise<PersonHistory> {
  const screen = (await (await caller(`/bff/people/${id}?tab=history`)).json()) as PersonScreen;
  return screen.history as PersonHistory;
}

async function today(): Promise<TodayScreen> {
  const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  return (await (await people.kim(`/bff/today?date=${date}`)).json()) as TodayScreen;
}

/** Who did what, by Today. */
async function latest(): Promise<string[]> {
  const { changes } = await today();
  return 'value' in changes ? changes.value.map(({ author, operation }) => `${author.name} ${operation}`) : [];
}

/** Saves as the form does. Returns whether it was saved: another change may come between. */
async function save(caller: BffCaller, id: string, kind: 'address' | 'bank-details', field: string, value: string) {
  const { stored } = (await (await caller(`/bff/people/${id}/${kind}`)).json()) as EditScreen;
  const fields = kind === 'address' ? { ...stored.fields, [field]: value } : { [field]: value };
  const response = await caller(`/bff/people/${id}/${kind}`, {
    version: stored.version,
    fields,
    keepsIban: kind === 'bank-details',
  });
  return response.ok;
}

test('the history says who changed which value, from what, and by which way', async () => {
  const id = '100021';
  const before = server.cloud.mirror.person(id)?.person as Person;
  expect(await save(people.kim, id, 'address', 'city', 'Erfurt')).toBe(true);
  await other.hr.persons.update(id, { bankDetails: { iban: IBAN } });
  await server.cloud.sync('persons');
  await importRecords({ ...(await masterRecord(id)), jobTitle: 'Astronaut' });
  await server.cloud.sync('persons');
  await (await people.lee(`/bff/people/${id}?tab=absences`)).json();

  const { events } = await history(id);
  const changes = events.filter(({ fields }) => fields.length > 0);
  const iban = before.bankDetails?.iban ?? '';
  expect(changes).toMatchObject([
    {
      author: { name: 'operator', way: 'import', systems: ['master'] },
      fields: ['jobTitle'],
      values: [{ path: ['jobTitle'], before: before.jobTitle, now: 'Astronaut', isShared: false }],
    },
    {
      author: { name: other.clientId, way: 'api' },
      fields: ['bankDetails'],
      values: expect.arrayContaining([
        {
          path: ['bankDetails', 'iban'],
          before: `DE•• •••• ${iban.slice(-4)}`,
          now: 'DE•• •••• 2051',
          isShared: false,
        },
      ]),
    },
    {
      author: { name: 'Kim', way: 'console' },
      fields: ['address'],
      values: [{ path: ['address', 'city'], before: before.address?.city, now: 'Erfurt', isShared: false }],
    },
  ]);
  expect(JSON.stringify(events)).not.toContain(iban);
  expect(JSON.stringify(events)).not.toContain(IBAN);

  const { changes: told } = await today();
  expect('value' in told && told.value.slice(0, 3)).toMatchObject(
    changes.map(({ author, fields, values }) => ({ author, fields, values, persons: 1 })),
  );
});

test('what a person reads for a screen is one event, and what the console reads by itself is apart', async () => {
  const id = '100022';
  const reads = async (): Promise<object[]> => {
    const { events } = await history(id);
    return events
      .filter(({ access, what }) => access === 'read' && !what.includes('operatorListAuditEvents'))
      .map(({ what, author, isOwnRead, times }) => ({ what, name: author.name, isOwnRead, times }));
  };
  const contract = server.cloud.mirror.person(id)?.person.employments?.[0]?.payrollContractId ?? '';
  await (await people.lee(`/bff/contracts/${contract}`)).text();
  const background = { headers: { 'x-hr-background': '1' } };
  await (await people.lee(`/bff/people/${id}?tab=absences`)).text();
  for (let count = 0; count < 3; count++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await (await people.lee(`/bff/people/${id}?tab=absences`, undefined, background)).text();
  }
  // The service writes reads once a second.
  await expect.poll(reads).toEqual(
    expect.arrayContaining([
      { what: ['listAbsences'], name: undefined, isOwnRead: true, times: 3 },
      { what: expect.toSatisfy((what: string[]) => what.length > 1), name: 'Lee', isOwnRead: false, times: 1 },
    ]),
  );
});

test('payments and decisions that are sent in the background have the person who started them', async () => {
  const contractId = server.cloud.mirror.person('100025')?.person.employments?.[0]?.payrollContractId ?? '';
  const payment = { billingPeriod: '2026-10', compensationComponentId: '4711', amount: 5 };
  const before = new Set((await server.cloud.operator.payments({})).map(({ id }) => id));
  const batch = { batch: randomUUID(), name: 'October', rows: [{ contractId, payment }] };
  expect((await people.kim('/bff/payments/batches', batch)).ok).toBe(true);
  const submitted = async (): Promise<string[]> =>
    (await server.cloud.operator.payments({})).map(({ id }) => id).filter((id) => !before.has(id));
  await expect.poll(submitted).toHaveLength(1);
  await people.lee('/bff/payments/decisions', {
    run: randomUUID(),
    decision: 'approve',
    chosen: { ids: await submitted() },
  });
  await expect.poll(latest).toContain('Lee operatorApproveVariablePayment');
  expect(await latest()).toContain('Kim submitVariablePayment');
});

test('no value of a person is kept who was erased', async () => {
  const id = '100023';
  const bytes = async (): Promise<string> =>
    (await readFile(join(server.config.folder, 'history.db'))).toString('latin1');
  await other.hr.persons.update(id, { addresses: [{ city: 'Oldenhausen' }] });
  await server.cloud.sync('persons');
  await other.hr.persons.update(id, { addresses: [{ city: 'Neuenhausen' }] });
  await server.cloud.sync('persons');
  expect(server.cloud.changes.of(id)).toHaveLength(2);
  expect(await bytes()).toContain('Oldenhausen');
  await operator(`persons/${id}/erase`, '', 'application/json');
  await server.cloud.sync('persons');
  expect(server.cloud.changes.of(id)).toEqual([]);
  expect(await bytes()).not.toMatch(/Oldenhausen|Neuenhausen/);
});

interface Made {
  readonly by: string;
  readonly field: string;
}

test('whoever changes the same person at the same time, nobody is named for what somebody else did', async () => {
  const id = '100024';
  const made = new Map<string, Made>();
  let count = 0;
  const note = async (by: string, field: string, change: (value: string) => Promise<unknown>): Promise<void> => {
    const value = `Ort ${++count} ${randomUUID()}`;
    if ((await change(value)) !== false) made.set(value, { by, field });
  };
  let master = await masterRecord(id);
  let fed = Promise.resolve();
  // The master system sends one feed after the other.
  const feed = async (change: object): Promise<void> => {
    master = { ...master, ...change };
    const record = master;
    await (fed = fed.then(async () => await importRecords(record)));
  };
  const steps = {
    kimAddress: () => note('Kim', 'address', (value) => save(people.kim, id, 'address', 'street', value)),
    leeAddress: () => note('Lee', 'address', (value) => save(people.lee, id, 'address', 'street', value)),
    leeBank: () => note('Lee', 'bankDetails', (value) => save(people.lee, id, 'bank-details', 'payee', value)),
    clientAddress: () =>
      note(other.clientId, 'address', (value) => other.hr.persons.update(id, { addresses: [{ street: value }] })),
    clientBank: () =>
      note(other.clientId, 'bankDetails', (value) =>
        other.hr.persons.update(id, { bankDetails: { iban: IBAN, payee: value } }),
      ),
    feedJob: () => note('operator', 'jobTitle', (jobTitle) => feed({ jobTitle })),
    feedAddress: () => note('operator', 'address', (street) => feed({ address: { street } })),
    sync: () => server.cloud.sync('persons'),
  };
  const step = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]));
  // Several at once, and one after the other.
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const round of all) {
        // oxlint-disable-next-line no-await-in-loop -- one round after the other
        await Promise.all(round.map((name) => steps[name]()));
      }
      await server.cloud.sync('persons');
      const { events } = await history(id);
      const changes = events.filter(({ access, fields }) => access === 'change' && fields.length > 0);
      // Each change is there once, with its author and its field.
      const told = changes.map(({ author, fields }) => `${author.name} ${fields.join(' ')}`);
      expect(told.toSorted()).toEqual([...made.values()].map(({ by, field }) => `${by} ${field}`).toSorted());
      for (const { author, values } of changes) {
        for (const { now, isShared } of values) {
          const by = made.get(String(now))?.by;
          if (by === undefined) continue;
          // Of several changes together, the one that made it is one.
          const others = changes.filter((change) => change.values.some((value) => value.now === now && value.isShared));
          expect(isShared ? others.map((change) => change.author.name) : [author.name]).toContain(by);
        }
      }
    }),
    { numRuns: 6 * testScale, endOnFailure: true },
  );
});

const SECOND = 1000;

function upTo(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max });
}

function changeAt(id: string, seconds: number): AuditEvent {
  const at = new Date(seconds * SECOND).toISOString();
  return { id, at, actor: 'a', access: 'change', operation: 'o', requestId: id, fields: ['city'], elements: 1 };
}

function foundBetween(after: number, until: number, before: string, now: string): PersonChange {
  return { personId: 'p', after: after * SECOND, until: until * SECOND, before: { city: before }, now: { city: now } };
}

test('changes of a field are told apart if a sync came between, and are one if none did', () => {
  const events = [changeAt('kim', 1010), changeAt('lee', 1010.5), changeAt('client', 1020), changeAt('feed', 1021)];
  const found = [
    foundBetween(1000, 1011, 'Bonn', 'Ulm'),
    foundBetween(1010, 1013, 'Ulm', 'Jena'),
    foundBetween(1012, 1030, 'Jena', 'Gera'),
  ];
  const told = replacedValues(found, events, 0);
  const values = events.map(({ id }) => [id, ...(told.get(id) ?? [])]);
  expect(values).toMatchObject([
    ['kim', { before: 'Bonn', now: 'Ulm', isShared: false }],
    ['lee', { before: 'Ulm', now: 'Jena', isShared: false }],
    ['client', { before: 'Jena', now: 'Gera', isShared: true }],
    ['feed', { before: 'Jena', now: 'Gera', isShared: true }],
  ]);
  // The events before are not known, so others may be missing.
  expect(replacedValues(found, events, 990_000).size).toBe(0);
});

test('a value is only said to be of a change if no other one can have made it', () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom('change', 'change', 'commit', 'sync', 'sync'),
      pause: fc.oneof(upTo(20), upTo(20), upTo(3 * SECOND), upTo(100 * SECOND)),
      /** Of the clock of the process that makes the event. */
      skew: fc.integer({ min: -40, max: 40 }),
    }),
    { maxLength: 14, size: 'max' },
  );
  fc.assert(
    fc.property(steps, (all) => {
      let now = 1_000_000;
      let after = now;
      const events: AuditEvent[] = [];
      const changes: (PersonChange & { readonly made: readonly string[] })[] = [];
      let open: { readonly id: string; readonly until: number } | undefined;
      let made: string[] = [];
      const commit = (): void => {
        if (open) made.push(open.id);
        open = undefined;
      };
      for (const { kind, pause, skew } of all) {
        now += pause + 1;
        // The next change waits until this one is committed.
        if (kind !== 'sync' || (open && open.until < now)) commit();
        if (kind === 'change') {
          const id = String(events.length + 1);
          events.push(changeAt(id, (now + skew) / SECOND));
          open = { id, until: now + 30 * SECOND };
        } else if (kind === 'sync') {
          const number = changes.length;
          const found = foundBetween(after / SECOND, now / SECOND + 1, `${number}`, `${number + 1}`);
          if (made.length > 0) changes.push({ ...found, made });
          [after, made] = [now, []];
        }
      }
      events.sort((one, two) => Date.parse(one.at) - Date.parse(two.at));
      const values = replacedValues(changes, events, 0);
      for (const { made: ids, now: then } of changes) {
        const told = [...values].flatMap(([id, list]) =>
          list.filter((each) => each.now === then['city']).map(({ isShared }) => ({ id, isShared })),
        );
        expect(told.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
        expect(told.map(({ isShared }) => isShared)).toEqual(told.map(() => told.length > 1));
      }
    }),
    { numRuns: 1000 * testScale },
  );
});
