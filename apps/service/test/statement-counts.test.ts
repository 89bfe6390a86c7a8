import { Client } from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../src/database/open-database.ts';
import { updatePerson } from '../src/persons/update-person.ts';
import { contractRecords, sharedService } from './service.ts';

const PERSONS = 25_000;
/** These run now and then, whatever is requested. */
const others = /access_token|copy audit_event|rate_limit|pg_is_in_recovery|^notify |credential_key|webhook_endpoint/;

const records = [
  ...contractRecords(),
  { kind: 'salary', payrollContractId: 'c-1', year: 2026, month: 1, totalSalary: 1, baseSalary: 1 },
  { kind: 'absence', id: 'a-1', personId: 'p-1', startDate: '2026-03-01' },
];
const service = sharedService('postgres', {}, records);

beforeAll(() => service.token());

/** A connection that runs these adds blocks to the chain of the audit, which is every 30 seconds. */
const chaining = /audit_block|audit_position|pg_locks|isolation level/;

/** The statements that a request runs, each with the name that PostgreSQL keeps its plan by. */
async function statementsOf(method: string, path: string, body?: object) {
  const query = vi.spyOn(Client.prototype, 'query');
  const { status } = await service.send(method, path, body && { body });
  const sent = query.mock.calls.map(([statement], index) => {
    const { text = 'copy', name } = (typeof statement === 'string' ? { text: statement } : statement) as {
      readonly text?: string;
      readonly name?: string;
    };
    return { text, name, connection: query.mock.contexts[index] };
  });
  query.mockRestore();
  const busy = new Set(sent.filter(({ text }) => chaining.test(text)).map(({ connection }) => connection));
  return { status, statements: sent.filter(({ text, connection }) => !others.test(text) && !busy.has(connection)) };
}

const contract = '/api/v1/payrollContract/c-1';
const payment = { correctionPeriod: '2026-01', compensationComponentId: '4711', amount: 1 };

test.each<[operation: string, count: number, method: string, path: string, body?: object]>([
  ['listAbsences', 1, 'GET', '/api/v1/persons/p-1/absences'],
  ['listSalaryHistory', 1, 'GET', `${contract}/salaries/history`],
  ['listVariablePayments', 1, 'GET', `${contract}/variable-payments`],
  ['updatePerson', 8, 'PATCH', '/api/v1/persons/p-1', { addresses: [{ street: 'Weg', city: 'Ulm' }] }],
  ['submitVariablePayment', 4, 'POST', `${contract}/variable-payments?billingPeriod=2026-01`, payment],
])('%s runs %i statements', async (_, count, method, path, body) => {
  const { status, statements } = await statementsOf(method, path, body);
  expect([status, statements.map(({ text }) => text)]).toEqual([200, expect.objectContaining({ length: count })]);
  // Statements with values are named, so that PostgreSQL plans them once.
  expect(statements.filter(({ text, name }) => text.includes('$1') && name === undefined)).toEqual([]);
});

test('statements of a thousand different grants leave the others named, and few are kept', async () => {
  const database = await openDatabase(service.databaseUrl, { requests: 1, lists: 1 });
  for (let n = 1; n <= 1000; n++) {
    const grants = { customFields: [`field ${n}`] };
    // oxlint-disable-next-line no-await-in-loop -- on one connection
    await database.transaction((transaction) => updatePerson(transaction, 'p-1', {}, grants));
  }
  const [kept] = await database.query<{ all: number; same: number }>(
    `select count(*)::int as all, count(*) filter (where statement like 'select person_id as id from person_view%')::int as same
    from pg_prepared_statements where $1`,
    [true],
  );
  await database.close();
  expect(kept?.same).toBe(1);
  expect(kept?.all).toBeLessThanOrEqual(200);
});

test(`a list of ${PERSONS} persons takes four statements`, async () => {
  await service.database.query(`
    insert into person_view select 'x-' || n, '{"id":"x-' || n || '"', '', '', master_change, '', '', payroll_change, '', '', time_change, '{}', '{}', custom_change, first_change
    from person_view, generate_series(1, ${PERSONS} - 1) as n where person_id = 'p-1'`);
  const { statements } = await statementsOf('GET', '/api/v1/persons');
  expect(statements).toHaveLength(4);
});
