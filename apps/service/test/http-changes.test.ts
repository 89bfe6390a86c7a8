import { setTimeout } from 'node:timers/promises';
import type { Changes } from '@hr/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decidePayment } from '../src/payroll/payment-handlers.ts';
import { drivers } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { newReader, type Reader } from './reader.ts';
import { contractRecords, load, sharedService, startService, type Answer, type TestService } from './service.ts';

/** Long enough that nothing ends a wait but what a test does. */
const WAIT = 50;

const payment = { compensationComponentId: 'BONUS', amount: 250 };

const changesOf = ({ status, body }: Answer): Changes => {
  expect([status, body]).toEqual([200, { cursor: expect.any(String), changed: expect.any(Array) }]);
  return body as Changes;
};

const now = async (reader: Reader): Promise<string> => changesOf(await reader.send('changes')).cursor;

describe.each(drivers)('changes as they happen on %s', (driver) => {
  const service = sharedService(driver, {}, contractRecords());
  /** Another process on the same database, where there can be one. */
  let other: TestService;

  beforeAll(async () => {
    other = driver === 'pglite' ? service : await startService(driver, { HR_DATABASE: service.databaseUrl });
  });
  afterAll(async () => {
    if (driver !== 'pglite') await other.stop();
  });

  /** Waits at the other process, and gives its response once it is there. */
  async function wait({ token }: Reader, cursor: string, seconds = WAIT): Promise<{ response: Promise<Answer> }> {
    const headers = { authorization: `Bearer ${token}` };
    const response = other.send('GET', `/api/v1/changes?after=${cursor}&wait=${seconds}`, { headers });
    // Whether it waits already or not, it responds to what follows.
    await Promise.race([response, setTimeout(50)]);
    return { response };
  }

  const operate = async (path: string, body: object = {}): Promise<void> =>
    expect(await service.send('POST', `/operator/v1/${path}`, { scope: 'operator', body })).toMatchObject({
      status: 200,
    });
  const operator = async (cursor?: string, seconds = 0): Promise<Answer> => {
    const path = `/operator/v1/changes?wait=${seconds}${cursor === undefined ? '' : `&after=${cursor}`}`;
    return other.send('GET', path, { scope: 'operator:read' });
  };
  const bonn = { addresses: [{ city: 'Bonn' }] };

  test('without a cursor, the response has one, at once', async () => {
    const reader = await newReader(service);
    expect(changesOf(await reader.send(`changes?wait=${WAIT}`)).changed).toEqual([]);
  });

  test('a change of another process ends a wait', async () => {
    const reader = await newReader(service);
    const cursor = await now(reader);
    const { response } = await wait(reader, cursor);
    await reader.send('persons/p-1', 'PATCH', { addresses: [{ city: 'Ulm' }] });
    const { changed, cursor: next } = changesOf(await response);
    expect(changed).toEqual(['persons']);
    expect((await reader.send(`persons?after=${cursor}`)).body).toMatchObject([
      { id: 'p-1', address: { city: 'Ulm' } },
    ]);
    expect((await reader.send(`persons?after=${next}`)).body).toEqual([]);
    expect(changesOf(await reader.send(`changes?after=${next}`)).changed).toEqual([]);
  });

  test.each([
    ['persons', [{ kind: 'keyNumber', personId: 'p-1', keyNumber: '77' }]],
    ['timeBookings', [{ kind: 'timeDay', personId: 'p-1', date: '2026-01-02', targetTime: 8 }]],
    ['absences', [{ kind: 'absence', id: 'a', personId: 'p-1', startDate: '2026-01-02' }]],
    ['salaries', [{ kind: 'salary', payrollContractId: 'c-1', year: 2026, month: 1, totalSalary: 1 }]],
  ])('records of a feed are told as %s', async (kind, records) => {
    const reader = await newReader(service);
    const { response } = await wait(reader, await now(reader));
    await load(service.database, records);
    expect(changesOf(await response).changed).toEqual([kind]);
  });

  test('a person who comes or goes brings all that is of the person', async () => {
    const reader = await newReader(service);
    const { response } = await wait(reader, await now(reader));
    await load(service.database, [{ kind: 'person', id: 'p-2' }]);
    const { changed, cursor } = changesOf(await response);
    expect(changed).toEqual(['persons', 'timeBookings', 'absences']);
    await operate('persons/p-2/erase');
    expect(changesOf(await reader.send(`changes?after=${cursor}`)).changed).toEqual([
      'persons',
      'timeBookings',
      'absences',
      'salaries',
    ]);
  });

  test('who does not wait hears of all that was committed before, by any process', async () => {
    const reader = await newReader(service);
    let { cursor } = changesOf(await reader.send('changes'));
    // The other process knows this cursor, and hears of commits a moment later.
    await (
      await wait(reader, cursor, 1)
    ).response;
    for (let keyNumber = 100; keyNumber < 130; keyNumber++) {
      // oxlint-disable no-await-in-loop -- one after the other
      await load(service.database, [{ kind: 'keyNumber', personId: 'p-1', keyNumber: String(keyNumber) }]);
      const changes = changesOf(await (await wait(reader, cursor, 0)).response);
      // oxlint-enable no-await-in-loop
      expect([keyNumber, changes.changed]).toEqual([keyNumber, ['persons']]);
      ({ cursor } = changes);
    }
  });

  test('a client hears of decisions on its own payments alone', async () => {
    const [payer, another] = [await newReader(service), await newReader(service)];
    const path = 'payrollContract/c-1/variable-payments?billingPeriod=2026-01';
    const key = { 'idempotency-key': `bonus of ${driver}`.replaceAll(' ', '-') };
    await payer.send(path, 'POST', payment, key);
    const cursors = { payer: await now(payer), another: await now(another) };
    const { response } = await wait(payer, cursors.payer);
    const filter = `submittedBy=${payer.clientId}`;
    const [{ id }] = (await service.send('GET', `/operator/v1/variable-payments?${filter}`, { scope: 'operator' }))
      .body as [{ id: string }];
    const rejection = { id, state: 'rejected', decidedBy: 'command line', reason: 'Paid already.' } as const;
    await service.database.transaction((transaction) => decidePayment(transaction, rejection));
    expect(changesOf(await response).changed).toEqual(['decisions']);
    expect(changesOf(await another.send(`changes?after=${cursors.another}`)).changed).toEqual([]);
    const decisions = await payer.send(`variable-payment-decisions?after=${cursors.payer}`);
    expect(decisions.body).toEqual([
      {
        payrollContractId: 'c-1',
        billingPeriod: '2026-01',
        correctionPeriod: '2026-01',
        ...payment,
        idempotencyKey: key['idempotency-key'],
        state: 'rejected',
        decidedAt: expect.any(String),
        reason: 'Paid already.',
      },
    ]);
    const next = decisions.headers.get('hr-cursor');
    expect((await payer.send(`variable-payment-decisions?after=${next}`)).body).toEqual([]);
    expect((await another.send('variable-payment-decisions')).body).toEqual([]);
  });

  test('operators hear of payments and clients, and no client does', async () => {
    const reader = await newReader(service);
    const unconcerned = await now(reader);
    let { cursor } = changesOf(await operator());
    /** What an operator hears that waits while something happens. */
    const heard = async (happens: () => Promise<unknown>): Promise<string[]> => {
      const response = operator(cursor, WAIT);
      await setTimeout(50);
      await happens();
      const changes = changesOf(await response);
      ({ cursor } = changes);
      return changes.changed;
    };

    const path = 'payrollContract/c-1/variable-payments?billingPeriod=2026-02';
    expect(await heard(() => reader.send(path, 'POST', payment))).toEqual(['payments']);
    const [{ id }] = (
      await service.send('GET', `/operator/v1/variable-payments?submittedBy=${reader.clientId}`, { scope: 'operator' })
    ).body as [{ id: string }];
    const unknown = 'payrollContract/c-0/variable-payments?billingPeriod=2026-02';
    expect(await reader.send(unknown, 'POST', payment)).toMatchObject({ status: 404 });
    expect(await heard(() => service.client().then(() => operate(`clients/${reader.clientId}/rotate`)))).toEqual([
      'clients',
    ]);
    for (const change of ['disable', 'enable', 'grants', 'custom-fields/allow']) {
      const body = { grants: { operations: null }, 'custom-fields/allow': { names: ['Size'] } }[change];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([change, await heard(() => operate(`clients/${reader.clientId}/${change}`, body))]).toEqual([
        change,
        ['clients'],
      ]);
    }
    const decision = { id, state: 'approved', decidedBy: 'command line' } as const;
    expect(
      await heard(() => service.database.transaction((transaction) => decidePayment(transaction, decision))),
    ).toEqual(['payments']);
    expect(
      await heard(() => load(service.database, [{ kind: 'keyNumber', personId: 'p-1', keyNumber: '79' }])),
    ).toEqual(['persons']);
    // What one wait of it heard, the next does not.
    expect(changesOf(await operator(cursor)).changed).toEqual([]);

    const [another, afterwards] = [await newReader(service), await newReader(service)];
    expect(unconcerned).not.toBe(await now(afterwards));
    const quiet = await now(another);
    await afterwards.send(path, 'POST', { ...payment, amount: 1 });
    expect(changesOf(await another.send(`changes?after=${quiet}`)).changed).toEqual([]);
    expect((await another.send(`persons?after=${quiet}`)).body).toEqual([]);
    expect(expectProblem(await operator(quiet), 'invalid-request', {})).toMatchObject({
      errors: [{ pointer: '/after' }],
    });
    const { body: events } = await service.send('GET', '/operator/v1/audit-events?operation=operatorGetChanges', {
      scope: 'operator',
    });
    expect(events).toEqual([]);
  });

  test('a client hears nothing of what it may not see', async () => {
    const seesNames = await newReader(service, {
      fields: ['id', 'lastName'],
      operations: ['listPersons', 'getChanges'],
    });
    const cursor = await now(seesNames);
    const { response } = await wait(seesNames, cursor, 1);
    await load(service.database, [
      { kind: 'keyNumber', personId: 'p-1', keyNumber: '78' },
      { kind: 'timeDay', personId: 'p-1', date: '2026-01-03', targetTime: 8 },
      { kind: 'salary', payrollContractId: 'c-1', year: 2026, month: 2, totalSalary: 1 },
      { kind: 'person', id: 'p-1', firstName: 'Zoë' },
    ]);
    expect(changesOf(await response).changed).toEqual([]);
    await load(service.database, [{ kind: 'person', id: 'p-1', firstName: 'Zoë', lastName: 'Eins' }]);
    expect(changesOf(await seesNames.send(`changes?after=${cursor}`)).changed).toEqual(['persons']);
  });

  test('other grants of the client end a wait, as its cursor has expired', async () => {
    const reader = await newReader(service);
    const cursor = await now(reader);
    const { response } = await wait(reader, cursor);
    await operate(`clients/${reader.clientId}/grants`, { systems: ['master'] });
    expect(expectProblem(await response, 'cursor-expired', {})).toMatchObject({ reason: 'grants' });
    const late = await reader.send(`changes?after=${cursor}`);
    expect(expectProblem(late, 'cursor-expired', {})).toMatchObject({ reason: 'grants' });
  });

  test('a cursor is of one client, and cannot be made', async () => {
    const [reader, another] = [await newReader(service), await newReader(service)];
    const cursor = await now(reader);
    const forged = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const answer of [
      await another.send(`changes?after=${cursor}`),
      await reader.send(`persons?after=${forged}`),
      await reader.send('absences?after=x'),
    ]) {
      expect(expectProblem(answer, 'invalid-request', {})).toMatchObject({ errors: [{ pointer: '/after' }] });
    }
  });

  test('a service that stops ends its waits with a cursor from which another one goes on', async () => {
    const stopping = await startService(driver, driver === 'pglite' ? {} : { HR_DATABASE: service.databaseUrl });
    const { cursor } = changesOf(await stopping.send('GET', '/api/v1/changes'));
    const response = stopping.send('GET', `/api/v1/changes?after=${cursor}&wait=${WAIT}`);
    await Promise.race([response, setTimeout(100)]);
    await stopping.stop();
    expect(changesOf(await response).changed).toEqual([]);
  });

  test('many waits are answered by one change, and each is told of its own', async () => {
    const readers = await Promise.all(Array.from({ length: 5 }, () => newReader(service)));
    const waits = await Promise.all(
      readers.flatMap((reader) => Array.from({ length: 20 }, async () => wait(reader, await now(reader)))),
    );
    await service.send('PATCH', '/api/v1/persons/p-1', { body: bonn });
    const answers = await Promise.all(waits.map(({ response }) => response));
    expect(answers.map((answer) => changesOf(answer).changed)).toEqual(waits.map(() => ['persons']));
  });
});
