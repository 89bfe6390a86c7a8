import { deletedAbsence, deletedTimeBookingDay, erasedPerson } from '@hr/schemas/rules';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { personalData } from '../src/erasure/personal-data.ts';
import { MAX_OPEN_LISTS_OF_CLIENT } from '../src/database/lists.ts';
import { takeImportLock } from '../src/database/change-sets.ts';
import { anyDriver } from './drivers.ts';
import { load, sharedService, type Answer } from './service.ts';

/** A person of whom every kind of record is stored, with a contract. */
function everything(personId: string, payrollContractId: string): object[] {
  return [
    { kind: 'person', id: personId, lastName: `Last ${personId}`, address: { city: 'Kiel' }, customFields: [field] },
    { kind: 'mapping', personId, payrollContractId },
    { kind: 'employment', payrollContractId, start: '2026-01-01', masterCostCenter: 'K1' },
    { kind: 'bankDetails', personId, iban: 'DE02120300000000202051' },
    { kind: 'salary', payrollContractId, year: 2026, month: 1, totalSalary: 3000 },
    { kind: 'keyNumber', personId, keyNumber: '77' },
    { kind: 'timeDay', personId, date: '2026-01-05', targetTime: 8 },
    { kind: 'absence', id: `a-${personId}`, personId, startDate: '2026-01-06' },
  ];
}
const field = { name: 'Shoe size', type: 'STRING', textValue: '43' };
const ids = (persons: readonly { readonly id: string }[]): string[] => persons.map(({ id }) => id);

/** Columns that an export needs not show, by what shows the same: whom it is about, another column, or nothing but a hash. */
const shownOtherwise: Readonly<Record<string, readonly string[]>> = {
  // The place in the chain of the audit.
  audit_event: ['position'],
  person_view: ['person_id', 'master_absent', 'payroll_absent', 'time_absent', 'custom_names'],
  source_document: ['person_id'],
  person_patch: ['person_id'],
  mapping: ['person_id'],
  gone_person: ['person_id'],
  former_mapping: ['person_id'],
  variable_payment: ['person_id'],
  time_account: ['person_id'],
  time_day: ['person_id'],
  absence: ['person_id', 'start_date', 'end_date'],
  moved_absence: ['person_id'],
  salary_entry: ['payroll_contract_id', 'month'],
  contract: ['payroll_contract_id', 'start_date'],
  idempotency_key: ['key_hash'],
  tombstone: ['person_id'],
};

describe.each(anyDriver)("people's rights on %s", (driver) => {
  const service = sharedService(driver);

  const operate = (method: string, path: string): Promise<Answer> =>
    service.send(method, `/operator/v1/persons/${path}`, { scope: 'operator' });
  const exported = async (personId: string): Promise<unknown> => (await operate('GET', `${personId}/export`)).body;
  const api = (path: string, method = 'GET', body?: object): Promise<Answer> =>
    service.send(method, `/api/v1/${path}`, { body });
  const loadAll = (...records: object[]): Promise<void> => load(service.database, records);

  const submit = (contract: string, key: object = { 'idempotency-key': `key-${contract}` }): Promise<Answer> =>
    service.send('POST', `/api/v1/payrollContract/${contract}/variable-payments?billingPeriod=2026-01`, {
      headers: { ...key },
      body: { compensationComponentId: 'BONUS', amount: 100 },
    });

  /** Stores all there can be of a person: records, a patch, a payment with a key. */
  async function store(personId: string, contract: string): Promise<void> {
    await loadAll(...everything(personId, contract));
    const patched = await api(`persons/${personId}`, 'PATCH', { addresses: [{ city: 'Bonn' }] });
    expect([patched.status, (await submit(contract)).status]).toEqual([200, 200]);
  }

  type Told = { readonly id: string } & Readonly<Record<string, unknown>>;
  const told = async (since?: string): Promise<Told[]> =>
    (await api(`persons${since === undefined ? '' : `?changedSince=${since}`}`)).body as Told[];
  const toldOf = async (personId: string, since?: string): Promise<Told | undefined> =>
    (await told(since)).find(({ id }) => id === personId);

  test('everything that names a person or a contract is exported and erased', async () => {
    const columns = await service.database.query<{ table: string }>(
      `select distinct table_name as table from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and table_name not in (select relname from pg_class where relispartition)
        and column_name in ('person_id', 'payroll_contract_id', 'payroll_contract_ids', 'variable_payment_id')`,
    );
    const covered = Object.values(personalData).map(({ table }) => table);
    expect(columns.map(({ table }) => table).toSorted()).toEqual(covered.toSorted());
  });

  test.each(Object.values(personalData))('an export shows every column of $table', async ({ table, element }) => {
    const columns = await service.database.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    );
    const missing = columns.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b(?!')`).test(element));
    expect(missing.toSorted()).toEqual((shownOtherwise[table] ?? []).toSorted());
  });

  test('an export is all that is stored, and it is audited', async () => {
    await store('e', 'c-e');
    await store('other', 'c-other');
    const { status, body } = await operate('GET', 'e/export');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('other');
    expect(body).toMatchObject({
      personId: 'e',
      view: [
        { person: { id: 'e', address: { city: 'Bonn' }, bankDetails: {}, keyNumber: '77' }, customFields: [field] },
      ],
      sources: [
        { kind: 'bankDetails', document: { iban: 'DE02120300000000202051' } },
        { kind: 'keyNumber', document: '77' },
        { kind: 'person', document: { address: { city: 'Kiel' } } },
      ],
      patches: [{ property: 'addresses', document: [{ city: 'Bonn' }], feedContent: { city: 'Kiel' } }],
      timeDays: [{ day: { date: '2026-01-05', targetTime: 8 } }],
      absences: [{ absence: { id: 'a-e' } }],
      salaries: [{ totalSalary: 3000 }],
      idempotencyKeys: [{}],
      variablePayments: [{ state: 'submitted', amount: 100, masterCostCenter: 'K1' }],
      contracts: [{ employment: { start: '2026-01-01' }, masterCostCenter: 'K1' }],
      mappings: [{ payrollContractId: 'c-e' }],
      tombstone: [],
      auditEvents: [
        { operation: 'operatorImportFeed', elements: 8 },
        { operation: 'updatePerson' },
        { operation: 'submitVariablePayment' },
      ],
    });
    const read = `select elements from audit_event where operation = 'operatorExportPerson' and person_id = 'e'`;
    await expect.poll(() => service.database.query(read)).toEqual([{ elements: 1 }]);
  });

  test('an export has all events about the person, and those of lists of everybody since the person is stored', async () => {
    const lists = `select from audit_event where operation = 'listPersons'`;
    const listed = async (): Promise<number> => (await service.database.query(lists)).length;
    const before = await listed();
    await told();
    await expect.poll(listed).toBe(before + 1);
    await store('y', 'c-y');
    await told();
    await told('2999-01-01');
    await api('persons/y/absences');
    await expect.poll(listed).toBe(before + 3);
    await service.database
      .query(`insert into audit_event (id, actor, operation, request_id, access, person_id, elements)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'c', 'listAbsences', 'r', 'read', 'y', 1
      from generate_series(1, 10000) as n`);
    const { auditEvents } = (await exported('y')) as { auditEvents: Record<string, unknown>[] };
    const others = auditEvents.filter(({ requestId }) => requestId !== 'r');
    expect(auditEvents.length - others.length).toBe(10_000);
    expect(others).toContainEqual(expect.objectContaining({ operation: 'listAbsences', elements: 1 }));
    // The list of changes was empty.
    expect(others.filter(({ operation }) => operation === 'listPersons')).toHaveLength(1);
  });

  test('an export whose reader goes away leaves no open list behind', async () => {
    await store('z', 'c-z');
    const authorization = `Bearer ${await service.token('operator')}`;
    const url = `${service.baseUrl}/operator/v1/persons/z/export`;
    for (let round = 0; round <= MAX_OPEN_LISTS_OF_CLIENT; round++) {
      const abort = new AbortController();
      const list = service.database.list.bind(service.database);
      vi.spyOn(service.database, 'list').mockImplementationOnce(async (...call) => {
        abort.abort();
        // The connection is closed before the response begins.
        await setTimeout(20);
        return list(...call);
      });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(fetch(url, { headers: { authorization }, signal: abort.signal })).rejects.toThrow('aborted');
    }
    await expect.poll(async () => (await operate('GET', 'z/export')).status).toBe(200);
  });

  test('what was erased is gone, is told to readers of changes, and no import brings it back', async () => {
    await store('p', 'c-p');
    await store('q', 'c-q');
    const first = await operate('POST', 'p/erase');
    const erasedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ personId: 'p', payrollContractIds: ['c-p'], erasedAt });
    const { erased } = first.body as { erased: object };
    expect(erased).toMatchObject({ view: 1, sources: 3, patches: 1, timeDays: 1, absences: 1, salaries: 1 });
    expect(erased).toMatchObject({ idempotencyKeys: 1, variablePayments: 1, contracts: 1, mappings: 1 });
    expect(ids(await told())).toContain('q');
    expect(await toldOf('p')).toBeUndefined();
    const changes = await told('2026-01-01');
    expect(changes.find(({ id }) => id === 'p')).toEqual(erasedPerson('p'));
    expect(ids(changes)).toEqual(ids(changes).toSorted());
    expect(await told('2999-01-01')).toEqual([]);
    const days = [deletedTimeBookingDay('2026-01-05')];
    expect((await api('time-bookings?changedSince=2026-01-01')).body).toContainEqual({ personId: 'p', days });
    expect((await api('persons/p/absences?changedSince=2026-01-01')).body).toEqual([deletedAbsence('a-p', 'p')]);
    const gone = [
      api('persons/p/absences'),
      api('payrollContract/c-p/salaries/history'),
      api('payrollContract/c-p/variable-payments'),
      submit('c-p'),
      api('persons/p', 'PATCH', {}),
    ];
    expect((await Promise.all(gone)).map(({ status }) => status)).toEqual(gone.map(() => 404));

    await loadAll(...everything('p', 'c-p'), { kind: 'deletePerson', id: 'p' });
    expect(await exported('p')).toMatchObject({
      view: [],
      sources: [],
      timeDays: [{ date: '2026-01-05' }],
      absences: [{ id: 'a-p' }],
      contracts: [],
      mappings: [],
      tombstone: [{ payrollContractIds: ['c-p'], erasedBy: expect.any(String) as string }],
      auditEvents: expect.arrayContaining([
        expect.objectContaining({ operation: 'operatorErasePerson', elements: 12 }),
      ]) as object[],
    });
    const left = `select payroll_contract_id from salary_entry where payroll_contract_id = 'c-p'`;
    expect(await service.database.query(left)).toEqual([]);

    const again = await operate('POST', 'p/erase');
    expect(again).toMatchObject({ status: 200, body: { payrollContractIds: ['c-p'], erased: { view: 0 } } });
    expect((await operate('POST', 'p/readmit')).body).toEqual({ personId: 'p' });
    expect((await operate('POST', 'p/readmit')).status).toBe(404);
    // A client that has not asked since learns of it all the same.
    expect(await toldOf('p', '2026-01-01')).toEqual(erasedPerson('p'));
    await loadAll(...everything('p', 'c-p'));
    expect(await toldOf('p')).toMatchObject({ lastName: 'Last p', address: { city: 'Kiel' } });
  });

  test('an erased contract that is mapped to somebody else comes again, also in the same feed', async () => {
    await store('r', 'c-r');
    await operate('POST', 'r/erase');
    const [, , employment = {}, , salary = {}] = everything('s', 'c-r');
    const history = 'payrollContract/c-r/salaries/history';
    await loadAll(employment, salary, { kind: 'person', id: 's' });
    expect((await api(history)).status).toBe(404);
    await loadAll(employment, salary, { kind: 'mapping', personId: 's', payrollContractId: 'c-r' });
    expect((await api(history)).body).toHaveLength(1);
  });

  test('a contract that the feed maps to an erased person is erased, whenever its mapping comes', async () => {
    await store('w', 'c-w');
    await store('x', 'c-x');
    await operate('POST', 'w/erase');
    const [, , employment = {}, , salary = {}] = everything('w', 'c-new');
    const records = [employment, salary, { kind: 'mapping', personId: 'w', payrollContractId: 'c-new' }];
    const stored = `select from contract natural join salary_entry where payroll_contract_id in ('c-new', 'c-x')`;
    for (const batch of [records.slice(0, 2), records.slice(2), records, records.toReversed()]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await loadAll(...batch);
    }
    expect(await service.database.query(stored)).toHaveLength(1);
    await loadAll({ kind: 'mapping', personId: 'w', payrollContractId: 'c-x' });
    // It was somebody else's, and the feed may say so again.
    expect(await service.database.query(stored)).toHaveLength(1);
    expect(await toldOf('x')).toMatchObject({ employments: [], payrollContractIds: [] });
    expect(await exported('w')).toMatchObject({ tombstone: [{ payrollContractIds: ['c-new', 'c-w', 'c-x'] }] });
    await loadAll({ kind: 'mapping', personId: 'x', payrollContractId: 'c-x' });
    expect(await toldOf('x')).toMatchObject({ employments: [{}], payrollContractIds: ['c-x'] });
  });

  const stored = async (): Promise<unknown[]> => {
    const counts = ['contract', 'salary_entry', 'variable_payment'].map(
      (table) => `(select count(*)::int from ${table} where payroll_contract_id = 'c-y')`,
    );
    return service.database.query(`select array[${counts.join()}] as counts`);
  };
  const toOther = { kind: 'mapping', personId: 'other', payrollContractId: 'c-y' };
  const toOwner = { ...toOther, personId: 'y' };
  const toNobody = { kind: 'deleteMapping', payrollContractId: 'c-y' };
  test.each<[what: string, records: object[], isOwn: boolean]>([
    ['without a mapping', [toNobody], true],
    ['without a mapping, after another person had it', [toOther, toOwner, toNobody], true],
    ['that another person has', [toOther], false],
    ['without a mapping, that another person had last', [toOther, toNobody], false],
  ])('a contract %s is of who had it last, and payments of the one they were for', async (_, records, isOwn) => {
    await store('y', 'c-y');
    await loadAll(...records);
    const own = { contracts: isOwn ? 1 : 0, salaries: isOwn ? 1 : 0, variablePayments: 1 };
    const found = (await exported('y')) as Record<string, unknown[]>;
    expect(Object.fromEntries(Object.keys(own).map((name) => [name, found[name]?.length]))).toEqual(own);
    expect((await operate('POST', 'y/erase')).body).toMatchObject({ erased: { ...own, idempotencyKeys: 1 } });
    const left = isOwn ? 0 : 1;
    expect(await stored()).toEqual([{ counts: [left, left, 0] }]);
    expect(await exported('y')).toMatchObject({ formerMappings: [], mappings: [], variablePayments: [] });

    // Nobody else gets what was the person's.
    await loadAll(toOther);
    expect(await stored()).toEqual([{ counts: [left, left, 0] }]);
    await operate('POST', 'y/readmit');
    await operate('POST', 'other/erase');
    await operate('POST', 'other/readmit');
  });

  test('payments that are submitted meanwhile do not outlive the person', async () => {
    await store('t', 'c-t');
    const submitted = Array.from({ length: 20 }, () => submit('c-t', {}));
    const answers = await Promise.all([...submitted, operate('POST', 't/erase')]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
    const left = `select from variable_payment where payroll_contract_id = 'c-t'`;
    expect(await service.database.query(left)).toEqual([]);
  });

  test.runIf(driver === 'postgres')('a payment that holds its contract is waited for and erased', async () => {
    await store('u', 'c-u');
    let erasing: Promise<Answer> | undefined;
    await service.database.transaction(async (transaction) => {
      await transaction.query(`select from mapping where payroll_contract_id = 'c-u' for key share`);
      erasing = operate('POST', 'u/erase');
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from mapping%for update%'`;
      await expect.poll(() => service.database.query(waits)).toHaveLength(1);
      await transaction.query(`insert into variable_payment
        (payroll_contract_id, billing_period, correction_period, compensation_component_id, amount, submitted_by)
        values ('c-u', '2026-01', '2026-01', 'BONUS', 1, 'x')`);
    });
    expect(await erasing).toMatchObject({ status: 200, body: { erased: { variablePayments: 2 } } });
  });

  test('a fault after the commit is logged, and the response is that of the change', async () => {
    await store('x', 'c-x2');
    vi.spyOn(service.database, 'vacuum').mockRejectedValueOnce(new Error('no space'));
    expect(await operate('POST', 'x/erase')).toMatchObject({ status: 200, body: { personId: 'x' } });
    expect(service.log.find((line) => line.includes('what follows it failed'))).toContain(
      '"operation":"operatorErasePerson"',
    );
  });

  test.runIf(driver === 'postgres')('while an import runs for long, erasing is answered 503', async () => {
    await store('v', 'c-v');
    await service.database.transaction(async (transaction) => {
      await takeImportLock(transaction);
      expect((await operate('POST', 'v/erase')).status).toBe(503);
    });
    expect((await operate('POST', 'v/erase')).status).toBe(200);
  });
});
