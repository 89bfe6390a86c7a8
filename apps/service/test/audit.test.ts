import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { auditedAs, auditEvents } from './audited.ts';
import { drivers } from './drivers.ts';
import { load, sharedService, type Answer, type TestService } from './service.ts';

const feed = [
  ...['p-1', 'p-2', 'p-3'].map((id) => ({ kind: 'person', id, lastName: id })),
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'employment', payrollContractId: 'c-1' },
  ...[1, 2, 3].map((month) => ({ kind: 'salary', payrollContractId: 'c-1', year: 2026, month, totalSalary: month })),
  { kind: 'timeDay', personId: 'p-1', date: '2026-01-05' },
  { kind: 'timeDay', personId: 'p-1', date: '2026-01-06' },
  { kind: 'timeDay', personId: 'p-2', date: '2026-01-06' },
  { kind: 'absence', id: 'a-1', personId: 'p-1', startDate: '2026-02-01' },
];
const contract = '/api/v1/payrollContract/c-1';
const person = '/api/v1/persons/p-1';
const payment = { compensationComponentId: 'BONUS', amount: 250 };
const ofContract = { personId: 'p-1', payrollContractId: 'c-1' };

/** Whom an import of records has changed, with the number of records. */
async function changedBy(service: TestService, ...records: object[]): Promise<string[]> {
  const imports = { actor: 'command line', operation: 'operatorImportFeed', access: 'change' };
  const before = await auditEvents(service, imports);
  await load(service.database, records);
  const events = (await auditEvents(service, imports)).slice(before.length);
  return events
    .map(({ personId, payrollContractId = '', elements, fields = [] }) =>
      [personId ?? payrollContractId, elements, ...fields].join(' '),
    )
    .toSorted();
}

describe.each(drivers)('the audit on %s', (driver) => {
  const service = sharedService(driver, {}, feed);

  async function send(method: string, path: string, body?: unknown): Promise<{ requestId: string; answer: Answer }> {
    const requestId = randomUUID();
    const scope = path.startsWith('/operator') ? 'operator' : 'api:use';
    const answer = await service.send(method, path, { scope, body, headers: { 'x-request-id': requestId } });
    return { requestId, answer };
  }

  /** What the audit tells of a request, without what is the same for all. */
  async function audited(method: string, path: string, body?: unknown): Promise<object> {
    const { requestId, answer } = await send(method, path, body);
    expect(answer.status).toBe(200);
    const { id, at, actor, requestId: told, ...event } = await auditedAs(service, requestId);
    expect(told).toBe(requestId);
    expect(id).toMatch(/^[\da-f-]{36}$/);
    const logged = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(actor).toBe(logged.find((line) => line['requestId'] === requestId)?.['clientId']);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    return event;
  }

  test('reads', async () => {
    const reads = [
      ['/api/v1/persons', 'listPersons', 3, {}],
      ['/api/v1/persons?changedSince=2999-01-01', 'listPersons', 0, {}],
      ['/api/v1/time-bookings', 'listTimeBookings', 2, {}],
      [`${person}/absences`, 'listAbsences', 1, { personId: 'p-1' }],
      [`${person}/absences?to=2025-01-01`, 'listAbsences', 0, { personId: 'p-1' }],
      [`${contract}/salaries/history`, 'listSalaryHistory', 3, ofContract],
      [`${contract}/salaries/history?from=2026-02&to=2026-02`, 'listSalaryHistory', 1, ofContract],
      [`${contract}/variable-payments`, 'listVariablePayments', 0, ofContract],
      ['/operator/v1/variable-payments', 'operatorListVariablePayments', 0, {}],
      ['/operator/v1/audit-events?operation=none', 'operatorListAuditEvents', 0, {}],
    ] as const;
    // They are written down at once.
    const events = await Promise.all(reads.map(async ([path]) => [path, await audited('GET', path)]));
    expect(events).toEqual(
      reads.map(([path, operation, elements, subject]) => [path, { access: 'read', operation, elements, ...subject }]),
    );
  });

  test('a change of a person, and one that changes nothing', async () => {
    const change = { access: 'change', operation: 'updatePerson', personId: 'p-1', elements: 1 };
    const read = { ...change, access: 'read' };
    const bankDetails = { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };
    const { iban, bic } = bankDetails;
    const patch = { bankDetails, addresses: [{ city: 'Ulm' }] };
    expect(await audited('PATCH', person, patch)).toEqual({
      ...change,
      fields: ['address', 'bankDetails'],
    });
    expect(await audited('PATCH', person, { ...patch, bankDetails: { bic, iban } })).toEqual(read);
    expect(await audited('PATCH', person, {})).toEqual(read);
    expect(await audited('PATCH', person, { ...patch, addresses: [] })).toEqual({ ...change, fields: ['address'] });
  });

  test('a payment from its submission to what is read of it', async () => {
    const submitted = await audited('POST', `${contract}/variable-payments?billingPeriod=2026-01`, payment);
    const [last] = await service.database.query<{ id: string }>('select max(id)::text as id from variable_payment');
    const objectId = last?.id;
    const event = { access: 'change', elements: 1, ...ofContract, objectId };
    expect(submitted).toEqual({ ...event, operation: 'submitVariablePayment' });
    const approve = `/operator/v1/variable-payments/${objectId}/approve`;
    expect(await audited('POST', approve)).toEqual({ ...event, operation: 'operatorApproveVariablePayment' });
    expect(await audited('GET', `${contract}/variable-payments`)).toMatchObject({ elements: 1, ...ofContract });
  });

  test('an import names each person and each unmapped contract that it changed, and nobody else', async () => {
    const [nine, ten] = ['p-9', 'p-10'].map((id) => ({ kind: 'person', id })) as [object, object];
    const key = { kind: 'keyNumber', personId: 'p-9', keyNumber: '9' };
    const salary = { kind: 'salary', payrollContractId: 'c-9', year: 2026, month: 1 };
    const absence = { kind: 'absence', id: 'a-9', personId: 'p-9', startDate: '2026-01-05' };
    const day = { kind: 'timeDay', personId: 'p-10', date: '2026-01-05' };
    const mapping = { kind: 'mapping', personId: 'p-9', payrollContractId: 'c-9' };
    const deletions = [
      { kind: 'deleteSalary', payrollContractId: 'c-9', year: 2026, month: 1 },
      { kind: 'deleteAbsence', id: 'a-9' },
      { kind: 'deletePerson', id: 'p-9' },
      { kind: 'deletePerson', id: 'nobody' },
    ];
    const imports: [records: object[], changed: string[]][] = [
      [
        [nine, key, ten],
        ['p-10 1', 'p-9 2'],
      ],
      [
        [nine, key, { ...ten, lastName: 'Zehn', customFields: [{ name: 'size', textValue: 'L' }] }],
        ['p-10 1 lastName customFields'],
      ],
      [[salary, { ...salary, month: 2 }, nine], ['c-9 2']],
      // The order of a feed is free.
      [
        [{ ...salary, month: 3 }, absence, day, mapping],
        ['p-10 1', 'p-9 3 payrollContractIds'],
      ],
      [
        [mapping, absence].map((record) => ({ ...record, personId: 'p-10' })),
        ['p-10 2 payrollContractIds', 'p-9 2 payrollContractIds'],
      ],
      [deletions, ['p-10 2', 'p-9 1']],
      [deletions, []],
    ];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const [records, changed] of imports) expect(await changedBy(service, ...records)).toEqual(changed);
  });

  test('who a contract belonged to is what counts, also when it moves at once', async () => {
    await load(service.database, [
      { kind: 'mapping', personId: 'p-2', payrollContractId: 'c-moves' },
      { kind: 'employment', payrollContractId: 'c-moves' },
    ]);
    const { requestId } = await send('GET', '/api/v1/payrollContract/c-moves/salaries/history');
    await load(service.database, [{ kind: 'mapping', personId: 'p-3', payrollContractId: 'c-moves' }]);
    expect(await auditedAs(service, requestId)).toMatchObject({ personId: 'p-2' });
  });

  test('what was malformed, not found or failed is not in it', async () => {
    const refused: [status: number, ...Parameters<typeof send>][] = [
      [400, 'GET', '/api/v1/persons?changedSince=x'],
      [400, 'PATCH', person, { addresses: null }],
      [404, 'GET', '/api/v1/persons/nobody/absences'],
      [404, 'PATCH', '/api/v1/persons/nobody', {}],
      [404, 'POST', '/operator/v1/variable-payments/999999/approve'],
      [405, 'DELETE', person],
    ];
    const requestIds: string[] = [];
    for (const [status, ...request] of refused) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { requestId, answer } = await send(...request);
      expect(answer.status).toBe(status);
      requestIds.push(requestId);
    }
    const list = service.database.list.bind(service.database);
    const failing = [sql`select '1' as key, (1 / 0)::text as element`];
    vi.spyOn(service.database, 'list').mockImplementationOnce(() => list(failing));
    const failed = await send('GET', '/api/v1/persons');
    expect(failed.answer.status).toBe(500);

    // Once this one is written down, all that came before is.
    await audited('GET', '/api/v1/persons');
    for (const requestId of [...requestIds, failed.requestId]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await auditEvents(service, { requestId })).toEqual([]);
    }
  });

  describe('a list that breaks off', () => {
    const LAST = 20_000;
    /** More than the buffers between the service and a reader hold. */
    const long = [sql`select key, element from number`];

    beforeAll(() =>
      service.database.query(`
        create table number (key text collate "C" primary key, element text);
        insert into number select lpad(n::text, 5, '0'), '"' || repeat('x', 1000) || '"' from generate_series(1, ${LAST}) as n`),
    );

    async function ask(): Promise<{ requestId: string; response: Response; abort: AbortController }> {
      const list = service.database.list.bind(service.database);
      vi.spyOn(service.database, 'list').mockImplementationOnce(() => list(long));
      const requestId = randomUUID();
      const abort = new AbortController();
      const headers = { authorization: `Bearer ${await service.token()}`, 'x-request-id': requestId };
      const response = await fetch(`${service.baseUrl}/api/v1/persons`, { headers, signal: abort.signal });
      return { requestId, response, abort };
    }

    test.each<[string, (asked: Awaited<ReturnType<typeof ask>>) => Promise<unknown>]>([
      ['its reader goes away', async ({ abort }) => abort.abort()],
      [
        'the database fails',
        async ({ response }) => {
          await service.database.query('alter table number rename to gone');
          await expect(response.text()).rejects.toThrow('terminated');
          await service.database.query('alter table gone rename to number');
        },
      ],
    ])('because %s is recorded with what was given until then', async (_, breakOff) => {
      const asked = await ask();
      await breakOff(asked);
      const { elements } = await auditedAs(service, asked.requestId);
      expect(elements).toBeGreaterThan(0);
      expect(elements).toBeLessThan(LAST);
    });

    test('and one that does not is recorded whole', async () => {
      const { requestId, response } = await ask();
      expect(await response.json()).toHaveLength(LAST);
      expect(await auditedAs(service, requestId)).toMatchObject({ elements: LAST });
    });
  });

  describe('takes new events only', () => {
    test.each([
      'update audit_event set elements = 0 where false',
      'delete from audit_event',
      'truncate audit_event',
      'update audit_event_later set elements = 0',
      'delete from audit_event_earlier',
      'truncate audit_event_later',
      // An insert that updates.
      `insert into audit_event (id, actor, operation, request_id, access, elements)
        select id, actor, operation, request_id, access, elements from audit_event limit 1
        on conflict (id) do update set elements = 0`,
      // A session that skips triggers.
      'set local session_replication_role = replica; delete from audit_event',
      'set local session_replication_role = replica; delete from audit_event_later',
    ])('%s is refused', async (statement) => {
      const events = () => service.database.query<{ id: string }>('select * from audit_event order by id');
      const before = await events();
      expect(before.length).toBeGreaterThan(0);
      await expect(service.database.transaction((transaction) => transaction.query(statement))).rejects.toThrow(
        'The audit only takes new events',
      );
      // Reads of former tests may be written meanwhile.
      const ids = new Set(before.map(({ id }) => id));
      expect((await events()).filter(({ id }) => ids.has(id))).toEqual(before);
    });
  });
});
