import { operations, type OperationId } from '@hr/schemas';
import type { System } from '@hr/schemas/rules';
import { describe, expect, test, vi } from 'vitest';
import type { Grants } from '@hr/schemas/provider';
import { anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { createWebhookEndpoint } from '../src/webhooks/endpoints.ts';
import { dateAllChanges } from './feed.ts';
import { newReader, type Reader } from './reader.ts';
import { load, sharedService, type Answer } from './service.ts';

const LONG_AGO = '2001-01-01';
const SINCE = '2002-01-01';

const records = [
  { kind: 'person', id: 'p-1', lastName: 'Eins', customFields: [{ name: 'A', textValue: 'hidden' }] },
  { kind: 'bankDetails', personId: 'p-1', iban: 'DE02120300000000202051' },
  { kind: 'keyNumber', personId: 'p-1', keyNumber: '77' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'employment', payrollContractId: 'c-1', start: '2026-01-01', masterCostCenter: 'K1' },
  ...['patched', 'deleted', 'erased'].map((id) => ({ kind: 'person', id, lastName: 'Zwei' })),
];
const payment = { compensationComponentId: 'BONUS', amount: 1 };

/** A request of each operation, with what does not exist in its path, and with invalid inputs. */
const requests: Readonly<Record<OperationId, readonly (readonly [path: string, body?: unknown])[]>> = {
  listPersons: [['persons'], ['persons?changedSince=never']],
  updatePerson: [
    ['persons/p-1', {}],
    ['persons/nobody', { addresses: 1 }],
  ],
  submitVariablePayment: [
    ['payrollContract/c-1/variable-payments?billingPeriod=2026-01', payment],
    ['payrollContract/none/variable-payments', 'no JSON'],
  ],
  listVariablePayments: [['payrollContract/c-1/variable-payments'], ['payrollContract/none/variable-payments?x=1']],
  listVariablePaymentDecisions: [['variable-payment-decisions'], ['variable-payment-decisions?after=%20']],
  listTimeBookings: [['time-bookings'], ['time-bookings?from=never']],
  listSalaryHistory: [['payrollContract/c-1/salaries/history'], ['payrollContract/none/salaries/history?from=1']],
  listAllSalaries: [['salaries/history'], ['salaries/history?from=1']],
  listAbsences: [['persons/p-1/absences'], ['persons/nobody/absences?to=1']],
  listAllAbsences: [['absences'], ['absences?to=1']],
  getChanges: [['changes'], ['changes?wait=51']],
  createWebhookEndpoint: [
    ['webhook-endpoints', { url: 'https://host.test/' }],
    ['webhook-endpoints', { url: 'no URL' }],
  ],
  listWebhookEndpoints: [['webhook-endpoints'], ['webhook-endpoints?x=1']],
  listWebhookDeliveries: [['webhook-endpoints/own/deliveries'], ['webhook-endpoints/none/deliveries?x=1']],
  testWebhookEndpoint: [['webhook-endpoints/own/test'], ['webhook-endpoints/none/test?x=1']],
  rotateWebhookSecret: [['webhook-endpoints/own/rotate'], ['webhook-endpoints/none/rotate?x=1']],
  deleteWebhookEndpoint: [['webhook-endpoints/own'], ['webhook-endpoints/none?x=1']],
};
const operationIds = Object.keys(operations) as OperationId[];
const systemSets: System[][] = [['master'], ['payroll'], ['time'], ['master', 'time']];
const systemOf: Readonly<Partial<Record<OperationId, System>>> = {
  submitVariablePayment: 'payroll',
  listVariablePayments: 'payroll',
  listVariablePaymentDecisions: 'payroll',
  listSalaryHistory: 'payroll',
  listAllSalaries: 'payroll',
  listTimeBookings: 'time',
  listAbsences: 'time',
  listAllAbsences: 'time',
};

describe.each(anyDriver)('grants of clients on %s', (driver) => {
  const service = sharedService(driver, {}, records);

  const operate = (path: string, body: unknown): Promise<Answer> =>
    service.send('POST', `/operator/v1/clients${path}`, { scope: 'operator', body });
  const grant = async ({ clientId }: Reader, grants: Grants): Promise<unknown> => {
    const { status, body } = await operate(`/${clientId}/grants`, grants);
    expect(status).toBe(200);
    return body;
  };

  test.each<[grants: Grants, granted: readonly OperationId[]]>([
    [{}, operationIds],
    ...operationIds.map((id): [Grants, OperationId[]] => [{ operations: [id] }, [id]]),
    ...systemSets.map((granted): [Grants, OperationId[]] => [
      { systems: granted },
      operationIds.filter((id) => granted.includes(systemOf[id] ?? granted[0] ?? 'time')),
    ]),
    [{ operations: ['listPersons', 'listAbsences'], systems: ['time'] }, ['listPersons', 'listAbsences']],
  ])('%j let a client use these operations: %j', async (grants, granted) => {
    const reader = await newReader(service, grants);
    await service.database.query('delete from webhook_endpoint');
    await createWebhookEndpoint(service.database, reader.clientId, 'https://127.0.0.1/');
    await service.database.query(`update webhook_endpoint set id = 'own'`);
    // From now on the token is cached.
    await reader.send('persons');
    const query = vi.spyOn(service.database, 'query');
    const others = [vi.spyOn(service.database, 'transaction'), vi.spyOn(service.database, 'list')];
    for (const id of granted) {
      const [[path, body] = ['']] = requests[id];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([id, (await reader.send(path, operations[id].method, body)).status]).toEqual([id, 200]);
    }
    for (const id of operationIds.filter((each) => !granted.includes(each))) {
      for (const [path, body] of requests[id]) {
        for (const spy of [query, ...others]) spy.mockClear();
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const answer = await reader.send(path, operations[id].method, body);
        // Neither invalid inputs nor unknown ids make a difference, and nothing is read.
        const { detail } = expectProblem(answer, 'forbidden', { path: `/api/v1/${path}` });
        expect(detail).toMatch(new RegExp(`^This client may not use ${id}(\\.|, whose .+) Ask the operator to grant `));
        // These run now and then, whatever is requested.
        const whatever = /access_token|webhook_endpoint|notify hr_commits|pg_current_snapshot/;
        expect(query.mock.calls.filter(([text]) => !whatever.test(text))).toEqual([]);
        for (const spy of others) expect(spy).not.toHaveBeenCalled();
      }
    }
    vi.restoreAllMocks();
  });

  test.each<[grants: Grants, property: string]>([
    [{ systems: ['payroll', 'time'] }, 'addresses'],
    [{ systems: ['master'] }, 'bankDetails'],
    [{ fields: ['id', 'bankDetails'] }, 'addresses'],
    [{ fields: ['address'] }, 'bankDetails'],
  ])('%j refuse a change of %s, whether the person exists or not', async (grants, property) => {
    const reader = await newReader(service, grants);
    const values = { addresses: [{ city: 'Bonn' }], bankDetails: { iban: 'DE02500105170137075030' } };
    const observer = await newReader(service);
    const before = await observer.persons();
    const allowed = property === 'addresses' ? 'bankDetails' : 'addresses';
    for (const [id, body] of [
      ['patched', values],
      ['nobody', { [property]: values[property as 'addresses'] }],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await reader.send(`persons/${id}`, 'PATCH', body);
      const { detail } = expectProblem(answer, 'forbidden', { path: `/api/v1/persons/${id}` });
      expect(detail).toContain(`/${property} `);
    }
    expect(await observer.persons()).toEqual(before);
    const answer = await reader.send('persons/patched', 'PATCH', { [allowed]: values[allowed] });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).not.toContain(property === 'addresses' ? 'address' : property);
  });

  test.each<[grants: Grants, patch: object, shown: object]>([
    [{}, {}, {}],
    [{}, { addresses: [{ city: 'Bonn' }] }, { address: { city: 'Bonn' } }],
    [{}, { addresses: [] }, {}],
    [
      { systems: ['payroll'] },
      { bankDetails: { iban: 'DE02500105170137075030' } },
      { bankDetails: { iban: 'DE02500105170137075030' } },
    ],
    [{ fields: ['id', 'address', 'lastName'] }, { addresses: [{ city: 'Ulm' }] }, { address: { city: 'Ulm' } }],
  ])('%j without listPersons show of a person what %j changes', async (grants, patch, shown) => {
    const reader = await newReader(service, { ...grants, operations: ['updatePerson'] }, ['A']);
    const { status, body } = await reader.send('persons/patched', 'PATCH', patch);
    expect([status, body]).toEqual([200, { id: 'patched', ...shown }]);
  });

  test('hold for tokens in use from the moment they change, also for a payment with an earlier key', async () => {
    const reader = await newReader(service);
    const [pay, body] = requests.submitVariablePayment[0] ?? [''];
    const submit = () => reader.send(pay, 'POST', body, { 'idempotency-key': reader.clientId });
    const submitted = await submit();
    expect(submitted.status).toBe(200);
    expect(Object.keys(submitted.body as object)).not.toContain('masterCostCenter');
    expect(await grant(reader, { systems: ['master', 'time'] })).toMatchObject({ systems: ['master', 'time'] });
    expect((await submit()).status).toBe(403);
    expect((await reader.persons()).find(({ id }) => id === 'p-1')).not.toHaveProperty('bankDetails');
    expect(await grant(reader, { systems: null, fields: ['bankDetails'] })).not.toHaveProperty('systems');
    expect(await submit()).toMatchObject({ status: 200, body: submitted.body });
    expect((await reader.persons()).find(({ id }) => id === 'p-1')).toEqual({
      id: 'p-1',
      bankDetails: { iban: 'DE02120300000000202051' },
    });
    // A list that is not sent stays as it is.
    expect(await grant(reader, { operations: ['listPersons'] })).toMatchObject({ fields: ['bankDetails'] });
    expect((await submit()).status).toBe(403);
  });

  test('hide fields of persons who were deleted or erased', async () => {
    const reader = await newReader(service, { fields: ['lastName', 'keyNumber'] });
    await dateAllChanges(service.database, LONG_AGO);
    await service.send('POST', '/operator/v1/persons/erased/erase', { scope: 'operator' });
    await load(service.database, [{ kind: 'deletePerson', id: 'deleted' }]);
    expect(await reader.persons(SINCE)).toEqual([
      { id: 'deleted', lastName: null, keyNumber: null, deleted: true },
      { id: 'erased', lastName: null, keyNumber: null, erased: true },
    ]);
  });

  const leaveOut = 'Grant the system too, or leave the other out.';
  test.each<[path: string, body: object, status: number, detail: string]>([
    ['/CLIENT/grants', { systems: [] }, 400, '/systems must have at least 1 elements.'],
    ['/CLIENT/grants', {}, 400, 'The body must have operations, systems, fields or actsForPeople.'],
    [
      '/CLIENT/grants',
      { systems: ['master'], fields: ['id', 'bankDetails'] },
      409,
      `The field bankDetails needs the system payroll. ${leaveOut}`,
    ],
    [
      '',
      { operations: ['listAbsences'], systems: ['payroll', 'master'] },
      409,
      `The operation listAbsences needs the system time. ${leaveOut}`,
    ],
    ['', { scope: 'operator', fields: null }, 409, 'Only clients with the scope api:use have grants.'],
  ])('%s with %j is answered %i', async (path, body, status, detail) => {
    const { clientId } = await newReader(service);
    const clients = async (): Promise<unknown> =>
      (await service.send('GET', '/operator/v1/clients', { scope: 'operator' })).body;
    const before = await clients();
    const sent = path === '' ? { name: 'x', scope: 'api:use', ...body } : body;
    const answer = await operate(path.replace('CLIENT', clientId), sent);
    const shown = expect.stringMatching(new RegExp(`^${detail}$`)) as string;
    expect(answer).toMatchObject({ status, body: { detail: shown } });
    expect(await clients()).toEqual(before);
  });
});
