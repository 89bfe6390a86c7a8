import { isLocalDate } from '@hr/schemas';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { grouped } from '../src/conform/check.ts';
import { Cloud } from '../src/conform/cloud.ts';
import { ConformRun } from '../src/conform/conform-run.ts';
import { conform, type ConformReport } from '../src/conform/index.ts';
import { conformHtml } from '../src/conform/report-html.ts';
import { conformJunit } from '../src/conform/report-junit.ts';
import { conformText } from '../src/conform/report-text.ts';
import { readElements } from '../src/conform/response-body.ts';
import { startWrongCloud, type Fault, type Passing } from './conform-proxy.ts';
import { newFolder } from './pact-file.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function start(fault?: Fault, persons?: number) {
  const cloud = await startWrongCloud(fault, persons);
  stops.push(() => cloud.provider.stop());
  return cloud;
}

/** The sections of failed checks, with the ids of those. */
function failed({ checks }: ConformReport): Record<string, string[]> {
  const all = checks.filter(({ outcome }) => outcome === 'failed');
  return Object.fromEntries(
    [...Map.groupBy(all, ({ section }) => section)].map(([section, own]) => [section, own.map(({ id }) => id)]),
  );
}

const isPersons = ({ path, status, method }: Passing): boolean =>
  path === '/api/v1/persons' && status === 200 && method === 'GET';
// oxlint-disable-next-line typescript/no-explicit-any -- JSON of any form
type Json = any;
const ofPersons = (change: (person: Json, index: number) => void): Fault => ({
  after: (passing) => void (isPersons(passing) && passing.json.forEach(change)),
});
const ofList = (path: RegExp, change: (element: Json) => void): Fault => ({
  after: (passing) =>
    void (
      path.test(passing.path) &&
      passing.status === 200 &&
      passing.method === 'GET' &&
      passing.json.forEach(change)
    ),
});
/** Removes or changes a valid date or month of the query. */
const ofQuery = (path: RegExp, name: string, change?: (value: string) => string): Fault => ({
  before: ({ path: own, query }) => {
    const value = query.get(name);
    if (!path.test(own) || value === null || !isLocalDate(value.length === 7 ? `${value}-01` : value)) return;
    if (change) query.set(name, change(value));
    else query.delete(name);
  },
});
const nextMonth = (month: string): string => {
  const [year, number] = month.split('-').map(Number);
  return number === 12
    ? `${String((year ?? 0) + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String((number ?? 0) + 1).padStart(2, '0')}`;
};

const readFaults: Record<string, [section: string, check: string, fault: Fault]> = {
  'a wrong type': ['2.1', 'values-2.1', ofPersons((person) => (person.jobTitle = 5))],
  'a broken bound': ['2.4', 'values-2.4', ofPersons((person) => person.bankDetails && (person.bankDetails.iban = 'x'))],
  'an unknown value of a closed list': ['2.1', 'values-2.1', ofPersons((person) => (person.gender = 'OTHER'))],
  'a middle name': ['2.1', 'values-2.1', ofPersons((person) => (person.middleName = 'Maria'))],
  'a former name': [
    '9',
    'former-names',
    ofPersons(({ address = {} }) => {
      address.postalCode = address.zipCode;
      delete address.zipCode;
    }),
  ],
  'a former name of a required field': [
    '9',
    'former-names',
    ofList(/time-bookings$/, (element) => {
      element.timeAccountDays = element.days;
      delete element.days;
    }),
  ],
  'an undocumented field': [
    '2.5',
    'names-2.5',
    ofPersons(({ employments }) => employments?.[0] && (employments[0].grade = 'E13')),
  ],
  'another value of an open list': [
    '2.1',
    'names-2.1',
    ofPersons(({ groups }) => groups?.[0] && (groups[0].type = 'TEAM')),
  ],
  'an element that is null': [
    '2.1',
    'values-2.1',
    { after: (passing) => isPersons(passing) && passing.json.push(null) },
  ],
  'a street beside a post-office box': [
    '2.3',
    'values-2.3',
    ofPersons((person, index) => index % 2 && (person.address = { street: 'Weg', postOfficeBox: '1' })),
  ],
  'a booking with a zone offset': [
    '2.8',
    'values-2.8',
    ofList(/time-bookings$/, ({ days }) =>
      days.forEach((day: Json) => day.bookings?.[0] && (day.bookings[0].time += 'Z')),
    ),
  ],
  'custom fields without a name': [
    '2.6',
    'names-2.6',
    ofPersons(({ customFields }, index) =>
      customFields?.forEach((field: Json) => (index % 2 ? delete field.name : (field.name = null))),
    ),
  ],
  'month 13': ['2.7', 'names-2.7', ofList(/payments$/, (payment) => (payment.correctionPeriod = '2025-13'))],
  'a salary as text': ['2.9', 'values-2.9', ofList(/history$/, (entry) => (entry.totalSalary = '5'))],
  'a list that ends within an element': [
    '4.2',
    'list-listPersons',
    {
      after: (passing) => {
        if (isPersons(passing) && passing.query.size === 0) passing.text = JSON.stringify(passing.json).slice(0, -20);
      },
    },
  ],
  'changedSince ignored': ['4.2', 'future-listPersons', ofQuery(/persons$/, 'changedSince')],
  'a list of changes with a part of a system': [
    '4.2',
    'changes-systems',
    {
      after: (passing) => {
        if (isPersons(passing) && passing.query.size > 0) for (const person of passing.json) delete person.employments;
      },
    },
  ],
  'a duplicate': [
    '4.2',
    'unique-listPersons',
    { after: (passing) => isPersons(passing) && passing.json.length > 0 && passing.json.push(passing.json.at(-1)) },
  ],
  'another order': [
    '4.2',
    'order-listPersons',
    { after: (passing) => isPersons(passing) && (passing.json = passing.json.toReversed()) },
  ],
  'a filter of payments ignored': ['4.3', 'filter-listVariablePayments', ofQuery(/payments$/, 'billingPeriod')],
  'the last day excluded': [
    '4.4',
    'filter-listTimeBookings',
    ofQuery(/time-bookings$/, 'endDate', (date) =>
      date.replace(/\d$/, (digit) => String(Math.max(1, Number(digit) - 1))),
    ),
  ],
  'a month too many': ['4.5', 'filter-listSalaryHistory', ofQuery(/history$/, 'to', nextMonth)],
  'a filter of absences ignored': ['4.6', 'filter-listAbsences', ofQuery(/absences$/, 'from')],
  'changedSince of absences ignored': ['4.6', 'future-listAbsences', ofQuery(/absences$/, 'changedSince')],
  'absences of another person': [
    '4.6',
    'owner-listAbsences',
    ofList(/absences$/, (absence) => (absence.personId = 'other')),
  ],
  'no token_type': ['5', 'token-type', { after: ({ json }) => void (json.token_type && delete json.token_type) }],
  'no WWW-Authenticate': ['5', 'bearer-missing-scheme', { after: ({ headers }) => headers.delete('www-authenticate') }],
  '403 for a wrong secret': [
    '5',
    'token-secret',
    {
      after: (passing) => {
        if (passing.path.endsWith('token') && passing.status === 401) passing.status = 403;
      },
    },
  ],
  'a cached token': ['5', 'token-cache', { after: ({ headers }) => headers.delete('cache-control') }],
  '200 for an unknown person': [
    '7',
    'unknown-id',
    {
      after: (passing) => {
        if (passing.path.endsWith('hr-conform-absent/absences') && passing.status === 404)
          Object.assign(passing, { status: 200, text: '[]' });
      },
    },
  ],
  'an error as HTML': [
    '7',
    'problem-details',
    {
      after: (passing) => {
        if (passing.status === 404) {
          passing.headers.set('content-type', 'text/html');
          passing.text = '<h1>Not found</h1>';
        }
      },
    },
  ],
  'unknown query parameters ignored': [
    '7',
    'invalid-queries-listPersons',
    { before: ({ query }) => query.delete('hrConformUnknown') },
  ],
  'a month that breaks the pattern accepted': [
    '8',
    'months-listSalaryHistory',
    {
      before: ({ path, query }) => {
        if (path.endsWith('history') && /^\d{6}$/.test(query.get('from') ?? '')) query.delete('from');
      },
    },
  ],
  'a long IBAN accepted': [
    '8',
    'bounds-updatePerson',
    {
      after: (passing) => {
        if (passing.sent?.bankDetails?.iban?.length > 34) passing.status = 200;
      },
    },
  ],
};

/** Groups of faults, each of another section, so that one run finds several. */
function together<Entry extends readonly [section: string, ...unknown[]]>(
  faults: Readonly<Record<string, Entry>>,
): [names: string, faults: Entry[]][] {
  const groups: [string, Entry][][] = [];
  for (const entry of Object.entries(faults)) {
    const isFree = (group: (typeof groups)[number]): boolean => group.every(([, [section]]) => section !== entry[1][0]);
    const group = groups.find(isFree);
    if (group) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => [group.map(([name]) => name).join(', '), group.map(([, fault]) => fault)]);
}

function allOf(faults: readonly Fault[]): Fault {
  return {
    before: (passing) => faults.forEach(({ before }) => before?.(passing)),
    after: (passing) => faults.forEach(({ after }) => after?.(passing)),
  };
}

describe('conform, reading', () => {
  test('the fake conforms', async () => {
    const { options } = await start(undefined, 30);
    const report = await conform(options);
    expect(failed(report)).toEqual({});
    expect(report).toMatchObject({ ok: true, interrupted: false, seed: 1, wireNames: {} });
    expect(conformText(report)).toMatch(/^Conforms: \d+ of \d+ checks passed, http:.*, seed 1\.\n/);
    const read = report.checks.filter(({ level, outcome }) => level === 1 && outcome === 'not tried');
    expect(read).toEqual([]);
    expect(report.coverage['listPersons']?.[200]?.fields['[*].address.zipCode']).toBeGreaterThan(0);
  });

  test.each(together(readFaults))(
    '%s: each is reported at its section, and nothing else is',
    async (_names, faults) => {
      const { options } = await start(allOf(faults.map(([, , fault]) => fault)));
      const report = await conform(options);
      const found = failed(report);
      expect(Object.keys(found).toSorted()).toEqual(faults.map(([section]) => section).toSorted());
      for (const [section, check] of faults) expect(found[section]).toContain(check);
      expect(report.ok).toBe(
        report.checks.every(({ severity, outcome }) => severity === 'should' || outcome !== 'failed'),
      );
      for (const [, check] of faults) expect(conformText(report)).toContain(`(${check})`);
      expect(conformText(report)).toMatch(/ {4}curl -i -X [A-Z]+ "http/);
    },
  );

  test('checks of a list that cannot be read are not tried', async () => {
    const { options } = await start({
      after: (passing) => {
        if (isPersons(passing) && passing.query.size === 0) passing.status = 404;
      },
    });
    const report = await conform(options);
    expect(failed(report)).toEqual({ '4.2': ['list-listPersons'], '7': ['problem-details'] });
    const untried = report.checks.filter(({ reason }) => reason === 'the list gets status 404');
    expect(untried.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['order-listPersons', 'unique-listPersons', 'changes-known', 'queries-listPersons']),
    );
    expect(report.checks.find(({ id }) => id === 'values-2.1')?.outcome).toBe('not tried');
  });

  test('counts are by path', async () => {
    const { options } = await start(
      ofPersons(({ groups = [] }, index) => index < 3 && groups[0] && (groups[0].type = 'TEAM')),
    );
    const { deviations = [] } = (await conform(options)).checks.find(({ id }) => id === 'names-2.1') ?? {};
    expect(deviations[0]?.place).toBe('[*].groups[*].type');
    expect(deviations[0]?.got).toMatch(/^other value in \d+ of \d+ elements$/);
  });

  test('names of query parameters that there are not are rejected', async () => {
    const options = { baseUrl: 'http://127.0.0.1:2', token: 'x' };
    const wireNames: object = { listPersons: { since: 'since' } };
    await expect(conform({ ...options, wireNames })).rejects.toThrow(
      '"wireNames" has an unknown name at listPersons.since.',
    );
  });

  test('lists that need dates are read for a short window', async () => {
    const { options, provider, fake } = await start({
      before: ({ path, query }) => {
        if (!/absences$|bookings$/.test(path)) return;
        const [from, to] = path.endsWith('bookings') ? ['startDate', 'endDate'] : ['from', 'to'];
        if (!query.has(from ?? '') || !query.has(to ?? '')) query.append('incomplete', '');
      },
    });
    // The days of a company are those of 2026.
    const personId = fake.persons.list()[0]?.id ?? '';
    fake.timeDays.add({ personId, date: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10) });
    const report = await conform(options);
    expect(failed(report)).toEqual({});
    const outcomes = Object.fromEntries(report.checks.map(({ id, outcome }) => [id, outcome]));
    expect(outcomes).toMatchObject({ 'window-listTimeBookings': 'passed', 'filter-listTimeBookings': 'not tried' });
    const dates = provider.requests.flatMap(({ path }) => /startDate=(2\d+-\d\d-\d\d)/.exec(path)?.[1] ?? []);
    expect(dates.length).toBeGreaterThan(0);
    const yearAgo = new Date(Date.now() - 367 * 86_400_000).toISOString();
    expect(dates.filter((date) => isLocalDate(date) && date < yearAgo)).toEqual([]);
  });

  test('a renamed field is named once as the cause of what is not tried', async () => {
    const { options } = await start(
      ofPersons((person) => {
        person.contracts = person.employments;
        delete person.employments;
      }),
    );
    const report = await conform(options);
    expect(failed(report)).toMatchObject({ '2.1': ['names-2.1'], '2.5': ['employments'] });
    expect(report.notes[0]).toMatch(
      /^\d\d checks are not tried: no person has employments\[\*\]\.payrollContractId\.$/,
    );
    expect(conformText(report).split('\n\n')[1]).toBe(report.notes[0]);
  });

  test('deviations of the same kind are one with the other places', () => {
    const [expected, got] = ['status 400', 'status 200'];
    const places = ['body /a (null)', 'body /b/0 (null)', 'body /a (too long)', 'status', '[*].a', '[*].b'];
    const found = grouped(places.map((place) => ({ place, expected, got, request: `curl ${place}` })));
    expect(found.map(({ place }) => place)).toEqual(places.filter((place) => place !== 'body /b/0 (null)'));
    expect(found[0]?.others).toEqual([{ place: 'body /b/0 (null)', request: 'curl body /b/0 (null)' }]);
  });

  test('the search of a smaller value ends', async () => {
    const options = { baseUrl: 'http://127.0.0.1:2', seed: 1 };
    const run = new ConformRun(options, new Cloud(options), fc);
    let count = 0;
    await run.search(
      fc.string({ minLength: 1000 }),
      async () => {
        count++;
        return [{ place: '', expected: '', got: '', request: '' }];
      },
      10,
    );
    expect(count).toBeLessThanOrEqual(30);
  });

  test('other names of query parameters are found, and printed for createHrClient', async () => {
    const names = { modifiedSince: 'changedSince', date_from: 'startDate', bis: 'endDate' };
    const { options } = await start({
      before: ({ path, query }) => {
        if (!/persons$|bookings$/.test(path)) return;
        const sent = [...query];
        for (const [name] of sent) query.delete(name);
        const renamed = new Map(Object.entries(names));
        for (const [name, value] of sent)
          if (!Object.values(names).includes(name)) query.append(renamed.get(name) ?? name, value);
          else query.append('unknown', value);
        // A name that another operation has is ignored.
        query.delete('fromDate');
      },
    });
    const report = await conform({ ...options, wireNames: { listTimeBookings: { to: 'bis' } } });
    expect(failed(report)).toEqual({});
    expect(report.wireNames).toEqual({
      listPersons: { changedSince: 'modifiedSince' },
      listTimeBookings: { from: 'date_from', to: 'bis', changedSince: 'modifiedSince' },
    });
    expect(conformText(report)).toContain('wireNames: {"listPersons":{"changedSince":"modifiedSince"}');
  });

  test('an old time-recording component is no deviation', async () => {
    const cloud = await start();
    cloud.fake.state('an outdated time component', { version: '63.11.9' });
    const report = await conform(cloud.options);
    expect(failed(report)).toEqual({});
    expect(report.checks.find(({ id }) => id === 'list-listAbsences')?.reason).toContain('63.11.20');
  });

  test('a rate limit is kept', async () => {
    const { options, fake } = await start();
    fake.failNext('listPersons', { status: 429, retryAfterSeconds: 0 }, 3);
    expect(failed(await conform(options))).toEqual({});
  });

  test('a seed repeats the requests', async () => {
    const paths: string[][] = [];
    // oxlint-disable no-await-in-loop -- one run after the other
    for (const seed of [3, 3, 4]) {
      const { options, provider } = await start(undefined, 3);
      await conform({ ...options, seed });
      paths.push(provider.requests.map(({ path, body }) => path + body).toSorted());
    }
    // oxlint-enable no-await-in-loop
    expect(paths[0]).toEqual(paths[1]);
    expect(paths[0]).not.toEqual(paths[2]);
  });

  test('a list of 200,000 elements is never held', async () => {
    const [chunks, perChunk] = [2000, 100];
    let [made, seen, most] = [0, 0, 0];
    async function* bytes() {
      yield Buffer.from('[');
      for (let chunk = 0; chunk < chunks; chunk++) {
        most = Math.max(most, made - seen);
        const text = Array.from({ length: perChunk }, () => JSON.stringify({ id: String(made++) })).join();
        yield Buffer.from(chunk === 0 ? text : `,${text}`);
      }
      yield Buffer.from(']');
    }
    await readElements(bytes(), () => void seen++);
    expect(seen).toBe(chunks * perChunk);
    expect(most).toBeLessThanOrEqual(1);
  });

  test('no output has a value of a person', async () => {
    let [count, isText] = [0, false];
    const canaries = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(canaries);
      if (typeof value === 'string') return `CANARY-${count++}`;
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, canaries(each)]));
    };
    const { options, fake } = await start({
      after: (passing) => {
        if (passing.status !== 200 || !passing.path.startsWith('/api/v1')) return;
        if (isText) passing.json = canaries(passing.json);
        else passing.json.forEach?.((element: Json) => (element.personId = 'CANARY'));
      },
    });
    const ids = [
      ...fake.persons.list().map(({ id }) => id),
      ...fake.contracts.list().map(({ payrollContractId }) => payrollContractId),
    ];
    for (isText of [true, false]) {
      // oxlint-disable-next-line no-await-in-loop -- one kind after the other
      const report = await conform(options);
      expect(report.ok).toBe(false);
      for (const output of [JSON.stringify(report), conformText(report), conformJunit(report), conformHtml(report)]) {
        expect(output).not.toContain('CANARY');
        expect(ids.filter((id) => output.includes(id))).toEqual([]);
        expect(output).not.toContain(options.clientSecret);
      }
    }
  });
});

/** With all checks that fail. */
const writeFaults: Record<string, [section: string, checks: readonly string[], fault: Fault]> = {
  'a patch that merges': [
    '4.1',
    ['patch-replaces'],
    {
      before: ({ sent }) => {
        const [first] = Array.isArray(sent?.addresses) ? sent.addresses : [];
        if (first?.city === 'Bonn') first.zipCode = '53111';
      },
    },
  ],
  'the second address as default': [
    '4.1',
    ['patch-address', 'patch-values'],
    { before: ({ sent }) => Array.isArray(sent?.addresses) && (sent.addresses = sent.addresses.toReversed()) },
  ],
  'a patch that truncates': [
    '4.1',
    ['patch-replaces', 'patch-values'],
    {
      before: ({ method, sent }) => {
        const payee: unknown = method === 'PATCH' ? sent?.bankDetails?.payee : undefined;
        if (typeof payee === 'string' && payee.length <= 70) sent.bankDetails.payee = payee.slice(0, 2);
      },
    },
  ],
  'a patch without properties that fails': [
    '4.1',
    ['patch-nothing'],
    {
      after: (passing) => {
        if (passing.method === 'PATCH' && passing.status === 200 && JSON.stringify(passing.sent) === '{}')
          passing.status = 204;
      },
    },
  ],
  'changes with the data of another system': [
    '4.2',
    ['patch-changes'],
    {
      after: (passing) => {
        if (isPersons(passing) && passing.query.size > 0) for (const person of passing.json) person.keyNumber ??= '1';
      },
    },
  ],
  'a payment before its approval': [
    '4.3',
    ['payment-hidden'],
    {
      after: ({ method, status, fake }) => {
        if (method === 'POST' && status === 200) fake.payments.approveAll();
      },
    },
  ],
  'a payment without its correction period': [
    '4.3',
    ['payment-response'],
    { after: ({ method, json }) => void (method === 'POST' && delete json.correctionPeriod) },
  ],
};

async function write(fault?: Fault) {
  const { fake, options } = await start(fault);
  const [person, contract] = [
    fake.persons.list().find(({ bankDetails, address }) => bankDetails && address),
    fake.contracts.list()[0],
  ];
  const before = fake.persons.list();
  const payments = fake.payments.list().length;
  const allowed = {
    allowWrites: person?.id ?? '',
    allowPayment: contract?.payrollContractId ?? '',
    folder: await newFolder(),
  };
  return { report: await conform({ ...options, ...allowed }), fake, before, payments };
}

describe('conform, writing', () => {
  test('the fake conforms, the person is restored, and one payment is submitted', async () => {
    const { report, fake, before, payments } = await write();
    expect(failed(report)).toEqual({});
    expect(report.checks.filter(({ outcome }) => outcome === 'not tried')).toEqual([]);
    expect(fake.persons.list()).toEqual(before);
    expect(fake.payments.list()).toHaveLength(payments + 1);
    expect(report.notes).toContain('The first address and the bank details of the person are restored.');
  });

  test('a name of the billing period that no list shows is found by the payment', async () => {
    const { report, fake, payments } = await write({
      before: ({ method, path, query }) => {
        if (!path.endsWith('payments')) return;
        const period = query.get('month');
        for (const name of Array.from(query.keys())) query.delete(name);
        if (period !== null) query.set('billingPeriod', period);
        if (method === 'GET') query.set('unknown', '');
      },
      after: (passing) => {
        if (passing.path.endsWith('payments') && passing.method === 'GET') passing.status = 404;
      },
    });
    expect(failed(report)['4.3']).toBeUndefined();
    expect(report.checks.find(({ id }) => id === 'payment-response')?.outcome).toBe('passed');
    expect(report.wireNames).toEqual({ submitVariablePayment: { billingPeriod: 'month' } });
    expect(fake.payments.list()).toHaveLength(payments + 1);
  });

  test.each(together(writeFaults))('%s: each is reported by its checks, and by no others', async (_names, faults) => {
    const { report } = await write(allOf(faults.map(([, , fault]) => fault)));
    expect(failed(report)).toEqual(Object.fromEntries(faults.map(([section, checks]) => [section, checks])));
  });
});
