import { operations, type Operation } from '@hr/schemas';
import { afterEach, expect, test } from 'vitest';
import { conform, type ConformReport } from '../src/conform/index.ts';
import { scenarioStates } from '../src/provider/index.ts';
import { startWrongCloud, type Fault, type Passing } from './conform-proxy.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function check(fault: Fault, persons: number): Promise<ConformReport> {
  const { fake, provider, options } = await startWrongCloud(fault, persons);
  stops.push(() => provider.stop());
  return conform({
    ...options,
    seed: 1,
    reset: () => fake.reset(),
    states: scenarioStates((scenario) => fake.load(scenario)),
    tokenWithoutScope: () => 'token-without-scope',
  });
}

const get =
  (ending: string, change: (passing: Passing) => void): NonNullable<Fault['after']> =>
  (passing) => {
    const { method, status, path } = passing;
    if (method === 'GET' && status === 200 && path.endsWith(ending)) change(passing);
  };

/** Faults that only states show, with the section and a check that finds them. */
const faults: readonly (readonly [section: string, id: string, fault: Fault])[] = [
  [
    '4.1',
    'a-patch-stores-an-address-neither-trimmed-nor-split',
    {
      before: ({ method, sent }) => {
        if (method === 'PATCH' && typeof sent.addresses[0].street === 'string')
          sent.addresses[0].street = sent.addresses[0].street.trim();
      },
    },
  ],
  [
    '4.2',
    'a-list-of-changes-has-only-the-fields-of-time-after-a-change-of-time',
    {
      after: get('/persons', ({ json, query }) => {
        if (query.has('changedSince')) json[0].jobTitle ??= 'Baker';
      }),
    },
  ],
  [
    '4.2',
    'contract-hr-client-4.2',
    { after: get('/persons', ({ json, query }) => void (query.size === 0 && (json[0].legalEntity = null))) },
  ],
  [
    '4.3',
    'a-payment-of-hours-of-an-earlier-month-is-accepted',
    { after: ({ method, json }) => void (method === 'POST' && delete json.hourlyFactor) },
  ],
  [
    '4.3',
    'a-repeated-key-with-another-body-is-rejected',
    { after: (passing) => void (passing.status === 422 && (passing.status = 200)) },
  ],
  [
    '4.4',
    'time-bookings-need-a-new-enough-time-recording-component',
    {
      after: (passing) => {
        if (passing.path.endsWith('/time-bookings') && passing.status === 409)
          Object.assign(passing, { status: 200, json: [] });
      },
    },
  ],
  [
    '4.5',
    'the-salary-history-of-a-contract-without-salaries-is-empty',
    { after: get('/history', (passing) => void (passing.json.length === 0 && (passing.json = null))) },
  ],
  [
    '4.6',
    'changed-absences-have-deleted-ones-whatever-the-window',
    {
      after: get('/absences', (passing) => {
        passing.json = passing.json.filter(({ deleted }: { deleted?: true }) => !deleted);
      }),
    },
  ],
  [
    '5',
    'a-client-can-have-another-scope',
    { after: ({ json }) => void (json.scope === 'operator' && delete json.scope) },
  ],
  [
    '5',
    'listtimebookings-is-forbidden-to-a-client-that-may-use-everything-else',
    {
      after: (passing) => {
        if (passing.path.endsWith('/time-bookings') && passing.status === 403)
          Object.assign(passing, { status: 200, json: [] });
      },
    },
  ],
  [
    '7',
    'updateperson-rejects-a-request-without-a-token',
    { after: ({ method, headers }) => void (method === 'PATCH' && headers.delete('www-authenticate')) },
  ],
];

test('each wrong response is placed at its section', async () => {
  // A fault that does not apply to a request throws.
  const applyAll = (when: 'before' | 'after') => (passing: Passing) => {
    for (const [, , { [when]: fault }] of faults) {
      try {
        fault?.(passing);
      } catch {}
    }
  };
  const { checks } = await check({ before: applyAll('before'), after: applyAll('after') }, 0);
  const failed = checks.filter(({ outcome, level }) => level === 3 && outcome === 'failed');
  const places = failed.map(({ section, id }) => `${section} ${id}`);
  expect(places).toEqual(expect.arrayContaining(faults.map(([section, id]) => `${section} ${id}`)));
  expect(places.filter((place) => place.startsWith('4.5 '))).toEqual([
    '4.5 the-salary-history-of-months-without-a-salary-is-empty',
    '4.5 the-salary-history-of-a-contract-without-salaries-is-empty',
    '4.5 the-salaries-of-all-contracts-are-empty-if-there-are-none',
    '4.5 contract-hr-client-4.5',
  ]);
});

test('a reset that leaves persons ends the run before anything fails because of it', async () => {
  await expect(check({}, 2)).rejects.toThrow(
    'The provider states cannot be used: after a reset the list of persons has 2 elements. Let the reset remove everything.',
  );
});

test('an HR cloud without our extensions conforms, and their situations are not tried', async () => {
  const extensions = Object.values(operations).filter((each: Operation) => each.extension);
  const { ok, checks } = await check(
    {
      after(passing) {
        const { method, path, headers } = passing;
        headers.delete('hr-cursor');
        const template = path.replace(/(?<=payrollContract\/)[^/]+/, '{contractId}');
        if (method !== 'GET' || !extensions.some((each) => each.path === template)) return;
        // Payments can be submitted there.
        const status = path === template ? 404 : 405;
        Object.assign(passing, { status, json: { type: 'about:blank', title: 'Unknown', status } });
      },
    },
    0,
  );
  expect(ok).toBe(true);
  const of = (outcome: string) => checks.filter((each) => each.level === 3 && each.outcome === outcome);
  // The proxy has other bounds of headers, and contracts need extensions.
  const failed = of('failed').filter(({ id }) => !id.startsWith('contract-'));
  expect(failed.map(({ id }) => id)).toEqual(['headers-that-are-too-large-are-rejected']);
  expect(new Set(of('not tried').map(({ reason }) => reason))).toEqual(
    new Set([
      'the HR cloud does not have it: status 404',
      'the HR cloud does not have it: status 405',
      'the HR cloud has no cursors: its lists lack the header HR-Cursor',
    ]),
  );
});
