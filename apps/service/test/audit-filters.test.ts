import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordEvents } from '../src/audit/audit-events.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { auditEvents, type ListedEvent } from './audited.ts';
import { anyDriver } from './drivers.ts';
import { sharedService } from './service.ts';

const path = '/operator/v1/audit-events';
const EVENTS = 300;

/** The moments that matter in Berlin: days begin an hour or two before they do in UTC. */
const moments = [
  '2021-01-30T22:59:59.999Z',
  '2021-01-30T23:00:00.000Z',
  '2021-01-31T22:59:59.999Z',
  '2021-01-31T23:00:00.000Z',
  '2021-06-30T21:59:59.999Z',
  '2021-06-30T22:00:00.000Z',
];
/** What a filter says → the moment it means, as `since` and as `until`. */
const bounds: Readonly<Record<string, readonly [since: string, until: string]>> = {
  '2021-01-31': ['2021-01-30T23:00:00.000Z', '2021-01-31T23:00:00.000Z'],
  '2021-07-01': ['2021-06-30T22:00:00.000Z', '2021-07-01T22:00:00.000Z'],
  '0001-01-01': ['0001-01-01T00:00:00.000Z', '0001-01-02T00:00:00.000Z'],
  '9999-12-31': ['9999-12-30T23:00:00.000Z', '9999-12-31T23:00:00.000Z'],
  '2021-01-31T23:59:59.999+01:00': ['2021-01-31T22:59:59.999Z', '2021-01-31T22:59:59.999Z'],
  '2021-01-31T23:00:00Z': ['2021-01-31T23:00:00.000Z', '2021-01-31T23:00:00.000Z'],
};

const id = fc.constantFrom('1', '2', "o'3");
const event = fc.record({
  at: fc.constantFrom(...moments).map((moment) => Date.parse(moment)),
  actor: fc.constantFrom('hr-1', 'hr-2', 'command line'),
  access: fc.constantFrom('read', 'change'),
  operation: fc.constantFrom('listPersons', 'updatePerson'),
  requestId: fc.constantFrom('r-1', 'r-2'),
  personId: fc.option(id, { nil: undefined }),
  payrollContractId: fc.option(id, { nil: undefined }),
  objectId: fc.option(id, { nil: undefined }),
  elements: fc.nat({ max: 3 }),
});
const bound = fc.constantFrom(...Object.keys(bounds));
const filter = fc.record(
  {
    personId: id,
    payrollContractId: id,
    objectId: id,
    actor: fc.constantFrom('hr-1', 'command line'),
    access: fc.constantFrom('read', 'change'),
    operation: fc.constantFrom('listPersons', 'nothing'),
    requestId: fc.constantFrom('r-1', 'r-3'),
    since: bound,
    until: bound,
  },
  { requiredKeys: [] },
);

describe.each(anyDriver)('filters of the audit on %s', (driver) => {
  const service = sharedService(driver);
  let all: ListedEvent[];

  beforeAll(async () => {
    const events = fc.sample(event, { numRuns: EVENTS, seed: 1 });
    await recordEvents(
      service.database,
      events.map(({ at, ...rest }) => ({ ...rest, id: uuidV7(at) })),
    );
    all = await auditEvents(service, { until: '2021-07-02' });
  });

  test('all events come, by moment and then as they were written', () => {
    const order = all.map(({ at, id: uuid }) => [at, uuid].join());
    expect(order).toHaveLength(EVENTS);
    expect(order).toEqual(order.toSorted());
    expect(new Set(all.map(({ at }) => new Date(at).toISOString()))).toEqual(new Set(moments));
    expect(all[0]?.at).toBe('2021-01-30T22:59:59.999Z');
  });

  test('together leave the events that fit all of them', async () => {
    const law = fc.asyncProperty(filter, async ({ since, until, ...exact }) => {
      const from = since === undefined ? undefined : bounds[since]?.[0];
      const to = until === undefined ? undefined : bounds[until]?.[1];
      const fits = (one: ListedEvent): boolean => {
        const at = new Date(one.at).toISOString();
        const isExact = Object.entries(exact).every(([name, value]) => one[name as keyof ListedEvent] === value);
        return isExact && (from === undefined || at >= from) && (to === undefined || at < to);
      };
      fc.pre(from === undefined || to === undefined || from <= to);
      const query = { ...exact, ...(since && { since }), ...(until && { until }) };
      const found = await auditEvents(service, query);
      // What the test itself reads is of now.
      expect(found.filter(({ at }) => at < '2021-07-02')).toEqual(all.filter(fits));
    });
    await fc.assert(law, { numRuns: 75 * testScale });
  });

  test.each([
    ['since=2021-02-30', '/since', 'must be a date such as 2026-01-31'],
    ['until=2021-01-31T24:00:00Z', '/until', 'must be a date'],
    ['until=2021-01-31T08:00:00', '/until', 'with its offset'],
    ['until=2021-02-29T08:00:00Z', '/until', 'must be a date'],
    ['since=2021-01-31T08:00:00+01:00', '/since', 'write + as %2B'],
    ['since=2021-01-31T08:00:00%2B15:00', '/since', 'must be a date'],
    ['since=2021-01-31T08:00:00.1234567Z', '/since', 'must be a date'],
    ['since=2021-02-01&until=2021-01-31', '/since', 'must not be after until'],
    ['since=2026-01-31T08:00:00Z&until=2026-01-31T08:59:00%2B01:00', '/since', 'must not be after until'],
    ['access=write', '/access', 'must be one of read, change'],
  ])('%s is refused', async (query, pointer, detail) => {
    const { status, body } = await service.send('GET', `${path}?${query}`, { scope: 'operator' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ pointer, detail: expect.stringContaining(detail) as string }] },
    });
  });
});
