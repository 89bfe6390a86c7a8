import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import { recordEvents } from '../src/audit/audit-events.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { paymentStates } from '../src/payroll/variable-payments.ts';
import { drivers, repetitions } from './drivers.ts';
import { sharedService } from './service.ts';

const path = '/operator/v1/variable-payments';
const clientsPath = '/operator/v1/clients';

interface Payment {
  readonly id: string;
  readonly state: (typeof paymentStates)[number];
  readonly billingPeriod: string;
  readonly payrollContractId: string;
  readonly submittedBy: string;
  readonly submittedAt: string;
  readonly idempotencyKey: string | null;
  readonly amount: number | null;
  readonly hours: number | null;
}
type Filter = Partial<
  Record<
    'id' | 'idempotencyKey' | 'state' | 'billingPeriod' | 'payrollContractId' | 'submittedBy' | 'submittedSince',
    string
  >
>;

const dates = ['2026-01-31', '2026-02-01', '2026-02-28'];
const payment = fc.record({
  state: fc.constantFrom(...paymentStates),
  billingPeriod: fc.constantFrom('2026-01', '2026-02'),
  payrollContractId: fc.constantFrom('c-1', "c'2", 'c-3'),
  submittedBy: fc.constantFrom('hr-1', 'hr-2'),
  idempotencyKey: fc.constantFrom('k-1', 'k/2', 'k-3', null),
  amount: fc.constantFrom(0.1, -250, 1e12, null),
  hours: fc.constantFrom(7.5, null),
  submittedAt: fc.constantFrom(...dates).map((date) => `${date}T12:00:00+00:00`),
});
const someOf = (...values: string[]): fc.Arbitrary<string> =>
  fc.subarray(values, { minLength: 1 }).map((some) => some.join(','));
const filter: fc.Arbitrary<Filter> = fc.record(
  {
    id: someOf(...Array.from({ length: 20 }, (_, index) => String(index + 1))),
    idempotencyKey: someOf('k-1', 'k/2', 'k'),
    state: someOf(...paymentStates),
    billingPeriod: fc.constantFrom('2026-01', '2026-03'),
    payrollContractId: someOf('c-1', "c'2", 'c'),
    submittedBy: fc.constantFrom('hr-1', 'hr-3'),
    submittedSince: fc.constantFrom('2026-02-01', '2026-02-01T13:00:00+01:00', '2026-03-01'),
  },
  { requiredKeys: [] },
);

function matches(one: Payment, { billingPeriod, submittedBy, submittedSince, ...several }: Filter): boolean {
  const exact = { billingPeriod, submittedBy };
  return (
    Object.entries(exact).every(([name, value]) => value === undefined || one[name as keyof typeof exact] === value) &&
    Object.entries(several).every(([name, values]) => values.split(',').includes(String(one[name as keyof Payment]))) &&
    (submittedSince === undefined || Date.parse(one.submittedAt) >= Date.parse(submittedSince))
  );
}

interface Sums {
  readonly billingPeriod: string;
  readonly state: string;
  readonly payments: number;
  readonly amount?: number;
  readonly hours?: number;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value * 10, 0) / 10;

/** A sum of nothing is missing. */
function sumsOf(some: readonly Payment[]): Omit<Sums, 'billingPeriod' | 'state'> {
  const amounts = some.flatMap(({ amount }) => amount ?? []);
  const hours = some.flatMap((one) => one.hours ?? []);
  return {
    payments: some.length,
    ...(amounts.length > 0 && { amount: sumOf(amounts) }),
    ...(hours.length > 0 && { hours: sumOf(hours) }),
  };
}

const step = fc.oneof(
  { weight: 2, arbitrary: fc.constant('page' as const) },
  fc.record({ submit: payment }),
  fc.record({ decide: fc.nat({ max: 30 }) }),
);

type Query = Readonly<Record<string, string | undefined>>;

describe.each(drivers)('lists of operators on %s', (driver) => {
  const service = sharedService(driver);
  const numRuns = repetitions(30, driver) * testScale;

  async function read<Element>(address: string, query: Query = {}) {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const parameters = new URLSearchParams(given).toString();
    const { status, body } = await service.send('GET', `${address}?${parameters}`, { scope: 'operator' });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body as Element[];
  }

  const idsOf = async (address: string, query: Query): Promise<string[]> =>
    (await read<{ id: string }>(address, query)).map(({ id }) => id);

  const submit = (payments: readonly Omit<Payment, 'id'>[]): Promise<Payment[]> =>
    service.database.query<Payment>(
      `insert into variable_payment (payroll_contract_id, billing_period, correction_period, compensation_component_id,
        amount, hours, idempotency_key, state, submitted_by, submitted_at, decided_by, decided_at)
      select "payrollContractId", "billingPeriod", "billingPeriod", 'x', amount, hours, "idempotencyKey", state, "submittedBy",
        "submittedAt", case when state <> 'submitted' then 'x' end, case when state <> 'submitted' then now() end
      from json_to_recordset($1::json) as one ("payrollContractId" text, "billingPeriod" text, state text,
        "submittedBy" text, "submittedAt" timestamptz, "idempotencyKey" text, amount numeric, hours numeric)
      returning id::text, state, billing_period as "billingPeriod", payroll_contract_id as "payrollContractId",
        idempotency_key as "idempotencyKey", amount::float8, hours::float8, submitted_by as "submittedBy", submitted_at::text as "submittedAt"`,
      [JSON.stringify(payments)],
    );

  test('a list and its counts have the payments that match', async () => {
    const law = fc.asyncProperty(fc.array(payment, { maxLength: 20 }), filter, async (payments, query) => {
      await service.database.query('truncate variable_payment restart identity cascade');
      const stored = (await submit(payments)).toSorted((one, other) => Number(one.id) - Number(other.id));
      const found = stored.filter((one) => matches(one, query));
      expect(await idsOf(path, query)).toEqual(found.map(({ id }) => id));
      const groups = Map.groupBy(found, ({ billingPeriod, state }) => `${billingPeriod} ${state}`);
      const counts = await read<{ billingPeriod: string; state: string; payments: number }>(`${path}/counts`, query);
      expect(counts.map((one) => `${one.billingPeriod} ${one.state} ${one.payments}`)).toEqual(
        [...groups].map(([group, { length }]) => `${group} ${length}`).toSorted(),
      );
      const sums = await read<Sums>(`${path}/counts`, { ...query, sums: 'true' });
      expect(new Map(sums.map(({ billingPeriod, state, ...one }) => [`${billingPeriod} ${state}`, one]))).toEqual(
        new Map([...groups].map(([group, some]) => [group, sumsOf(some)])),
      );
    });
    await fc.assert(law, { numRuns });
  });

  test('pages show each payment that matched all the time once, in order, while payments are submitted and decided', async () => {
    const law = fc.asyncProperty(
      fc.array(payment, { minLength: 10, maxLength: 20 }),
      fc.oneof(fc.constant({}), filter),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.array(step, { maxLength: 20 }),
      async (payments, query, size, isForward, steps) => {
        await service.database.query('truncate variable_payment restart identity cascade');
        const stored = new Map((await submit(payments)).map((one) => [one.id, one]));
        const always = new Set([...stored.values()].filter((one) => matches(one, query)).map(({ id }) => id));
        const shown: string[] = [];
        const inOrder = (ids: Iterable<string>): string[] =>
          [...ids].toSorted((one, other) => (Number(one) - Number(other)) * (isForward ? 1 : -1));
        const readPage = async (): Promise<boolean> => {
          const limits = isForward
            ? { limit: String(size), after: shown.at(-1) }
            : { last: String(size), before: shown.at(-1) };
          const page = await idsOf(path, { ...query, ...limits });
          expect(page.length).toBeLessThanOrEqual(size);
          shown.push(...(isForward ? page : page.toReversed()));
          expect(shown).toEqual(inOrder(new Set(shown)));
          return page.length === size;
        };
        // oxlint-disable no-await-in-loop -- one step after the other
        for (const one of steps) {
          if (one === 'page') await readPage();
          else if ('submit' in one) await submit([one.submit]);
          else {
            const id = [...stored.keys()][one.decide] ?? '';
            const decided = stored.get(id);
            if (decided?.state !== 'submitted') continue;
            await service.send('POST', `${path}/${id}/approve`, { scope: 'operator' });
            stored.set(id, { ...decided, state: 'approved' });
            if (!matches({ ...decided, state: 'approved' }, query)) always.delete(id);
          }
        }
        while (await readPage());
        // oxlint-enable no-await-in-loop
        expect(shown.filter((id) => always.has(id))).toEqual(inOrder(always));
      },
    );
    await fc.assert(law, { numRuns });
  });

  test.each(['audit-events', 'imports'])('%s have pages, too', async (name) => {
    const ids = Array.from({ length: 5 }, (_, at) => uuidV7(Date.UTC(2020, 0, 1) + at));
    const event = { operation: 'listPersons', requestId: 'r', access: 'read', elements: 1 } as const;
    const insert = `insert into import_run (id, sources, actor, request_id, outcomes)
      select unnest($1::uuid[]), '{}', 'a', 'r', '{}'`;
    if (name === 'imports') await service.database.query(insert, [ids]);
    else
      await recordEvents(
        service.database,
        ids.map((id) => ({ ...event, id, actor: 'a' })),
      );
    const page = (query: Query): Promise<string[]> =>
      idsOf(`/operator/v1/${name}`, { ...query, ...(name === 'audit-events' && { actor: 'a' }) });
    expect(await page({ limit: '2' })).toEqual(ids.slice(0, 2));
    expect(await page({ limit: '2', after: ids[3] })).toEqual([ids[4]]);
    expect(await page({ last: '1', before: ids[4] })).toEqual([ids[3]]);
    expect(await page({ after: ids[0], before: ids[3] })).toEqual(ids.slice(1, 3));
  });

  test('the activity of clients has the newest events of each', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => service.client()));
    const [busy = '', quiet = ''] = clients.map(({ clientId }) => clientId).toSorted();
    const at = Date.UTC(2020, 5, 1);
    const event = { operation: 'listPersons', elements: 1 };
    await recordEvents(
      service.database,
      [busy, quiet, busy, busy, 'unknown'].map((actor, index) => {
        const access = index === 3 ? 'change' : 'read';
        return { ...event, id: uuidV7(at + index), actor, requestId: `r-${index}`, access };
      }),
    );
    const activity = async (query: Query): Promise<Record<string, string[]>> => {
      const all = await read<{ clientId: string; events: { requestId: string }[] }>(`${clientsPath}/activity`, query);
      const ours = all.filter(({ clientId }) => [busy, quiet].includes(clientId));
      return Object.fromEntries(ours.map((one) => [one.clientId, one.events.map(({ requestId }) => requestId)]));
    };
    expect(await activity({})).toEqual({ [busy]: ['r-3'], [quiet]: ['r-1'] });
    expect(await activity({ access: 'read', last: '2' })).toEqual({ [busy]: ['r-0', 'r-2'], [quiet]: ['r-1'] });
    expect(await activity({ since: new Date(at + 2).toISOString(), last: '9' })).toEqual({ [busy]: ['r-2', 'r-3'] });
  });

  test.each([
    ['limit=0', '/limit', 'must be a whole number from 1 to 1000'],
    ['limit=1001', '/limit', 'must be a whole number from 1 to 1000'],
    ['last=1e2', '/last', 'must be a whole number from 1 to 1000'],
    ['limit=1&last=1', '/last', 'must not be given with limit'],
    ['after=x', '/after', 'must be an id of this list'],
    ['before=9999999999999999999', '/before', 'must be an id of this list'],
    ['state=submitted,open', '/state', 'must be some of submitted, approved, rejected'],
    ['id=1,x', '/id', 'must be ids of this list, separated by commas'],
    ['idempotencyKey=', '/idempotencyKey', 'must be idempotency keys, separated by commas'],
    ['payrollContractId=c-1,', '/payrollContractId', 'must be ids, separated by commas'],
    ['billingPeriod=2026-13', '/billingPeriod', 'must be a month'],
    ['submittedSince=yesterday', '/submittedSince', 'must be a date'],
  ])('%s is refused', async (query, pointer, detail) => {
    const { status, body } = await service.send('GET', `${path}?${query}`, { scope: 'operator' });
    const error = { pointer, detail: expect.stringContaining(detail) as string };
    expect([status, body]).toMatchObject([400, { errors: [error] }]);
  });
});
