import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import { checkIdempotencyKey, checkPart, loneSurrogates, responseCheck } from '../src/checks.ts';
import {
  IdempotencyKey,
  issuesOf,
  lenient,
  operations,
  Person,
  PersonDelta,
  PersonPatch,
  type Issue,
  type Lenient,
  type OperationId,
} from '../src/index.ts';
import * as specification from './specification.ts';

const models = {
  listPersons: specification.Person,
  updatePerson: specification.Person,
  submitVariablePayment: specification.VariablePayment,
  listVariablePayments: specification.VariablePayment,
  listVariablePaymentDecisions: specification.VariablePaymentDecision,
  listTimeBookings: specification.TimeBookingPerson,
  listSalaryHistory: specification.SalaryHistoryEntry,
  listAllSalaries: specification.SalaryHistoryEntry,
  listAbsences: specification.Absence,
  listAllAbsences: specification.Absence,
  getChanges: specification.Changes,
  createWebhookEndpoint: specification.WebhookEndpointWithSecret,
  listWebhookEndpoints: specification.WebhookEndpoint,
  listWebhookDeliveries: specification.WebhookDelivery,
  testWebhookEndpoint: specification.WebhookDelivery,
  rotateWebhookSecret: specification.WebhookEndpointWithSecret,
  deleteWebhookEndpoint: specification.WebhookEndpoint,
} satisfies Record<OperationId, specification.Model>;

const valueAt = (value: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((found, name) => (found as Record<string, unknown>)[name], value);

/** The model finds faults in the order of its fields, the check in the order of the value. */
const byPlace = (issues: readonly Issue[]) => issues.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1));

describe.each(Object.entries(models) as [OperationId, specification.Model][])('%s', (id, model) => {
  const check = responseCheck(id);
  const reader = lenient(operations[id].response);

  test('is read with null, gaps and unknown fields, and kept as it is', () => {
    const law = fc.property(model.lenient ?? model.valid, (value) => {
      expect(check(value)).toEqual([]);
      expect(reader.parse(value)).toEqual(value);
    });
    fc.assert(law, { numRuns: 25 * testScale });
  });

  test('is unusable where a type is wrong or a required field is missing, and reported where a stated bound is broken', () => {
    for (const { at, code, value, ours } of model.faults) {
      // Unknown fields are kept, and an optional field may be null.
      if (code === 'unknown-name' || (at !== '' && valueAt(fc.sample(value, 1)[0], at) === null)) continue;
      const law = fc.property(value, (bad) => {
        const unusable = code === 'wrong-type' || code === 'required';
        const found = check(bad);
        expect(new Set(found.map(({ pointer }) => pointer))).toEqual(new Set(ours ? [] : [at]));
        expect(found.filter((fault) => fault.code === code && fault.unusable === unusable).length > 0).toBe(!ours);
      });
      fc.assert(law, { numRuns: 1 });
    }
  });

  test('finds what the model finds', () => {
    const cases = fc.oneof(model.lenient ?? model.valid, ...model.faults.map(({ value }) => value), fc.anything());
    const law = fc.property(cases, (value) => {
      const { error } = reader.safeParse(value);
      const found = check(value).map(({ unusable: _unusable, ...issue }) => issue);
      expect(byPlace(found)).toEqual(byPlace(error ? issuesOf(error, value) : []));
    });
    fc.assert(law, { numRuns: 40 * testScale });
  });
});

const checkedParts = {
  updatePerson: specification.PersonPatch,
  submitVariablePayment: specification.VariablePaymentRequest,
} as const;

test.each(Object.entries(checkedParts) as [keyof typeof checkedParts, specification.Model][])(
  'a body of %s is copied, and has the faults that the model finds',
  (id, model) => {
    const cases = fc.oneof(model.valid, ...model.faults.map(({ value }) => value), fc.anything());
    const law = fc.property(cases, (value) => {
      const { data, error } = operations[id].body.safeParse(value);
      const { copy, issues } = checkPart(id, 'body', value);
      expect(issues).toEqual(error ? issuesOf(error, value) : []);
      expect(error ? undefined : copy).toEqual(data);
    });
    fc.assert(law, { numRuns: 100 * testScale });
  },
);

test.each(Object.keys(operations) as OperationId[])('parameters of %s have the faults that the models find', (id) => {
  const value = fc.oneof(
    fc.constantFrom(
      '',
      'a',
      '2026-01-31',
      '2025-12-31',
      '2026-02-30',
      '2026-01',
      '2025-12',
      '2026-13',
      'x'.repeat(256),
      'x'.repeat(501),
      '50',
      '51',
    ),
    fc.anything(),
  );
  const names = fc.constantFrom(
    'id',
    'contractId',
    'personId',
    'from',
    'to',
    'changedSince',
    'after',
    'wait',
    'billingPeriod',
    'page',
  );
  const law = fc.property(fc.oneof(fc.dictionary(names, value), fc.anything()), (parameters) => {
    for (const [part, model] of [
      ['path', operations[id].pathParameters],
      ['query', operations[id].query],
    ] as const) {
      const { data, error } = model.safeParse(parameters);
      const { copy, issues } = checkPart(id, part, parameters);
      expect(issues).toEqual(error ? issuesOf(error, parameters) : []);
      expect(error ? undefined : copy).toEqual(data);
    }
  });
  fc.assert(law, { numRuns: 50 * testScale });
});

test.each([
  [
    'a getter',
    {
      get bankDetails() {
        return { bic: 'MARKDEFF' };
      },
    },
  ],
  ['an inherited name', Object.create({ bankDetails: { bic: 'x' }, iban: 'y' })],
  ['its prototype', JSON.parse('{"__proto__": {"bankDetails": {}}}')],
  ['a gap in an array', { addresses: Array(2) }],
  ['an object that is none', { addresses: [new Date()], bankDetails: new Map() }],
])('a request with %s is read as by the model', (_, value) => {
  const { data, error } = PersonPatch.safeParse(value);
  const { copy, issues } = checkPart('updatePerson', 'body', value);
  expect(issues).toEqual(error ? issuesOf(error, value) : []);
  expect(error ? undefined : copy).toEqual(data);
});

test.each([undefined, 5, '', 'a b', 'x'.repeat(256), 'run-7/42'])(
  'an idempotency key %j is checked as by the model',
  (key) => {
    const { error } = IdempotencyKey.safeParse(key);
    expect(checkIdempotencyKey(key)).toEqual(error ? issuesOf(error, key) : []);
  },
);

test('an operation without a body has none to check', () => {
  const error = new RangeError('checkPart: listPersons has no body. See operations.');
  expect(() => checkPart('listPersons', 'body', {})).toThrow(error);
});

const check = responseCheck('listPersons');
const faultsOf = (value: unknown) =>
  check(value).map(({ pointer, code, unusable }) => `${pointer} ${code}${unusable ? ' unusable' : ''}`);

test.each([
  [
    'an unknown gender or status is reported',
    { gender: 'DIVERSE', status: 'LOCKED' },
    ['/gender not-allowed', '/status not-allowed'],
  ],
  ['a gender that is no text is unusable', { gender: 1 }, ['/gender wrong-type unusable']],
  ['a broken bound is reported', { jobTitle: 'x'.repeat(401) }, ['/jobTitle too-long']],
  [
    'a number for a text is unusable',
    { employments: [{ payrollContractId: 7 }] },
    ['/employments/0/payrollContractId wrong-type unusable'],
  ],
  [
    'an unknown value of an open enum is none',
    {
      groups: [{ id: '1', type: 'TEAM' }],
      customFields: [{ name: 'x', type: 'DATE' }],
      employments: [{ payrollContractId: '1', paymentTime: 'LAST' }],
    },
    [],
  ],
  [
    'a street beside a box is reported',
    { address: { street: 'Hauptstr.', postOfficeBox: '7' } },
    ['/address/street rule'],
  ],
  ['null is none', { firstName: null, address: null, employments: null, groups: null, status: null }, []],
  ['a missing contract id is unusable', { employments: [{}] }, ['/employments/0/payrollContractId required unusable']],
  [
    'null for a contract id is unusable',
    { employments: [{ payrollContractId: null }] },
    ['/employments/0/payrollContractId wrong-type unusable'],
  ],
  [
    'a bound that the specification does not state is not reported',
    {
      keyNumber: '',
      managerId: 'x'.repeat(256),
      groups: [{ id: 'x'.repeat(256), type: '\0' }],
      lastName: '\uD83D',
      customFields: [{ name: '', textValue: '\0', numberValue: 1e13 }],
    },
    [],
  ],
  [
    'a broken bound beside a missing field is not unusable',
    { jobTitle: 'x'.repeat(401), employments: [{}] },
    ['/jobTitle too-long', '/employments/0/payrollContractId required unusable'],
  ],
  ['null for an employment is unusable', { employments: [null] }, ['/employments/0 wrong-type unusable']],
  ['a person without id is unusable', { id: undefined }, ['/id required unusable']],
  ['null for the id is unusable', { id: null }, ['/id wrong-type unusable']],
])('%s', (_, fields, expected) => {
  expect(faultsOf({ id: '1', ...fields })).toEqual(expected);
});

test.each([null, undefined, 'x', 5, [], [{ id: '1' }]])('%o is not a person', (value) => {
  expect(check(value)).toEqual([expect.objectContaining({ pointer: '', unusable: true })]);
});

test('an unknown operation is named as such', () => {
  const error = new RangeError('responseCheck: unknown operation. See operations.');
  expect(() => responseCheck('nope' as OperationId)).toThrow(error);
});

test('a value outside a closed list is a broken bound to the reader, though its type has it', () => {
  const person: Lenient<Person> = { id: '1', status: 'ON_LEAVE' };
  expect(lenient(Person).safeParse(person).success).toBe(false);
  expect(lenient(Person).parse({ id: '1', groups: [{ id: '1', type: 'TEAM' }] })).toMatchObject({ id: '1' });
});

test('it works where code may not be made from text', () => {
  const source = `
    import { responseCheck } from '@hr/schemas/checks';
    process.stdout.write(JSON.stringify(responseCheck('listPersons')({ id: 1 })));`;
  const output = execFileSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--conditions=@hr/source', '--input-type=module', '--eval', source],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  expect(JSON.parse(output)).toEqual(check({ id: 1 }));
});

test('an element of a list of changes may be null in each field but id, and say that the person was erased', () => {
  const changes = responseCheck('listPersons', { changes: true });
  expect(changes({ id: '1', erased: true, firstName: null })).toEqual([]);
  expect(changes({ id: '1', erased: false }).map(({ pointer, unusable }) => [pointer, unusable])).toEqual([
    ['/erased', true],
  ]);
  expect(changes({ firstName: null }).map(({ pointer, unusable }) => [pointer, unusable])).toEqual([['/id', true]]);
});

test('a tolerant reader can be read again, and keeps each value as it is', () => {
  const reader = lenient(lenient(Person));
  const law = fc.property(specification.Person.valid, (person) => {
    expect(reader.parse(person)).toEqual(person);
  });
  fc.assert(law, { numRuns: 50 });
});

test('the reader of changes is tolerant below their fields too', () => {
  const delta = { id: '1', address: { zipCode: null, floor: '3' }, bankDetails: null };
  expect(lenient(PersonDelta).parse(delta)).toEqual(delta);
});

/** A view of a JSON value that counts what is read of it. */
function counting<Value>(value: Value, count: { reads: number }): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      count.reads++;
      return counting(Reflect.get(target, name), count);
    },
    getOwnPropertyDescriptor(target, name) {
      count.reads++;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

const hostileTexts = fc.constantFrom(
  '',
  '\uD800',
  '\0',
  'x'.repeat(1000),
  '💩'.repeat(300),
  '2026-02-30',
  '9'.repeat(400),
);
const hostileLeaves = fc.oneof(hostileTexts, fc.constantFrom(null, 0, 1e300, -0, true, 'ACTIVE'), fc.double());
const hostileNames = fc.oneof(
  fc.constantFrom('id', 'name', 'type', 'status', 'dateOfBirth', 'street', 'postOfficeBox', 'address', 'workingHours'),
  fc.constantFrom(
    'customFields',
    'employments',
    'groups',
    'payrollContractIds',
    'days',
    'bookings',
    'values',
    'selection',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '4294967295', 'k'.repeat(1000), '\uD800'),
  fc.string(),
);
const objectOf = (value: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(hostileNames, value), { maxLength: 12 })
    .map((entries) => JSON.parse(`{${entries.map((pair) => pair.map(json).join(':')).join(',')}}`) as unknown);
const { hostile } = fc.letrec<{ hostile: unknown }>((tie) => ({
  hostile: fc.oneof(
    { maxDepth: 4 },
    hostileLeaves,
    fc.array(tie('hostile'), { maxLength: 4 }),
    // Many equal elements, which are not nested in many others.
    fc.tuple(objectOf(hostileLeaves), fc.constantFrom(100, 500)).map(([one, times]) => Array<unknown>(times).fill(one)),
    objectOf(tie('hostile')),
  ),
}));

function json(value: unknown): string {
  return JSON.stringify(value);
}

const MAX_FAULTS = 100;
const READS_OF_A_FAULT = 10;
const READS_OF_A_VALUE = 8;

test.each(Object.keys(operations) as OperationId[])(
  'no response of %s is read more than a few times, or has more than a hundred faults and one that is unusable',
  (id) => {
    const law = fc.property(hostile, (value) => {
      const [count, values] = [{ reads: 0 }, json(value).match(/[,:[{]/g)?.length ?? 0];
      const faults = responseCheck(id)(counting(value, count));
      expect(count.reads).toBeLessThanOrEqual(READS_OF_A_VALUE * (values + 1) + READS_OF_A_FAULT * faults.length);
      expect(faults.length).toBeLessThanOrEqual(MAX_FAULTS + 1);
      expect(faults.findLastIndex(({ unusable }) => unusable)).toBeLessThanOrEqual(MAX_FAULTS);
    });
    fc.assert(law, { numRuns: 40 * testScale });
  },
);

const many = (element: unknown) => Array<unknown>(1e5).fill(element);
const readFields = (customFields: readonly unknown[], limit?: number) => {
  const count = { reads: 0 };
  const faults = check(counting({ id: '1', customFields }, count), limit);
  return { count, found: faults.map(({ pointer }) => pointer), unusable: faults.filter((fault) => fault.unusable) };
};

test('a check stops at a hundred faults if one is unusable, and otherwise at the first that is', () => {
  const broken = { name: 'x', dateValue: '' };
  const unusable = readFields(many({}));
  expect(unusable.found).toHaveLength(MAX_FAULTS);
  expect(unusable.count.reads).toBeLessThan(2000);
  const bounds = readFields([...many(broken), 0, ...many(0)]);
  expect(bounds.found.slice(MAX_FAULTS)).toEqual(['/customFields/100000']);
  expect(bounds.unusable).toHaveLength(1);
  expect(readFields([broken, 0, 0], 0).found).toEqual(['/customFields/1']);
  expect(readFields([broken, broken], 0).found).toEqual([]);
});

test('lone surrogates are found wherever they are, and nothing else', () => {
  const person = JSON.parse(
    String.raw`{"id":"1","lastName":"\ud83d","groups":[{"id":"\udca9 1"},{"id":"💩"}],"x":{"y~":"\ud83d"}}`,
  );
  const places = loneSurrogates(person).map(({ pointer, code, unusable }) => [pointer, code, unusable]);
  expect(places).toEqual(['/lastName', '/groups/0/id', '/x/y~0'].map((pointer) => [pointer, 'wrong-format', false]));
  expect(loneSurrogates(person, 2)).toHaveLength(2);
  expect(loneSurrogates('\u{D800}')).toMatchObject([{ pointer: '' }]);
  expect(loneSurrogates(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toEqual([]);
  const law = fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: 'binary' }), (value) => {
    const isWellFormed = (part: unknown): boolean =>
      typeof part === 'string'
        ? part.isWellFormed()
        : typeof part !== 'object' || part === null || Object.values(part).every(isWellFormed);
    expect(loneSurrogates(value).length === 0).toBe(isWellFormed(value));
  });
  fc.assert(law);
});
