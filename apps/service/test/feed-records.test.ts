import { structureFault } from '@hr/schemas/provider';
import { fieldsOf } from '@hr/schemas/rules';
import { company } from '@hr/testing/fixtures';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demoRecords } from '../src/demo/load-demo.ts';
import { readRecord } from '../src/feed/feed-record.ts';
import { PersonRecord } from '../src/feed/person-record.ts';

test('a person record has the fields of the master system', () => {
  const mapped = 'payrollContractIds';
  expect([...Object.keys(PersonRecord.shape), mapped]).toEqual(['id', ...fieldsOf('master')]);
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

test('the order of members and white space is all the same', () => {
  const records = [...company({ persons: 30, months: 2, timeDays: 2 })].flatMap(demoRecords);
  for (const record of records) {
    const read = readRecord(JSON.stringify(record));
    expect(read).toHaveProperty('record');
    expect(readRecord(JSON.stringify(reversed(record), null, 2))).toEqual(read);
  }
});

test('numbers are kept in their shortest form', () => {
  const [one, other] = ['1.50', '15e-1'].map((amount) =>
    readRecord(`{"kind":"absence","id":"a","personId":"1","startDate":"2026-01-01","amount":${amount}}`),
  );
  expect(one).toEqual(other);
  expect(one).toMatchObject({ record: { values: { absence: expect.stringContaining('"amount":1.5}') as string } } });
});

test('a number is taken exactly if a double holds it as written, however it stands in the line', () => {
  const literal = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.nat({ max: 999 }),
      fc.stringMatching(/^(?:\.\d{1,20})?$/),
      fc.stringMatching(/^(?:[eE][-+]?[0-8])?$/),
    )
    .map((parts) => parts.join(''));
  const space = fc.constantFrom('', ' ', '\t');
  fc.assert(
    fc.property(literal, space, space, (number, before, after) => {
      const line = `{"kind":"absence","amount":${before}${number}${after},"id":"a","personId":"1","startDate":"2026-01-01"}`;
      const fault = structureFault(line);
      const read = readRecord(line);
      expect('issues' in read ? read.issues.slice(0, 1) : []).toEqual(fault ? [fault] : []);
    }),
    { numRuns: 1000 },
  );
});

test('a line with more parts than can be checked quickly has one fault', () => {
  const bookings = `[${'{},'.repeat(400_000)}{}]`.slice(-1024 * 1000);
  const line = `{"kind":"timeDay","personId":"1","date":"2026-01-01","bookings":[${bookings}`;
  expect(readRecord(line)).toMatchObject({ issues: [{ pointer: '', code: 'rule' }] });
});

describe('a bad record is told by its places', () => {
  const one = '{"kind":"person","id":"1"';
  const names = `"firstName":"${'x'.repeat(40)}","middleName":"${'y'.repeat(40)}"`;
  test.each([
    ['', ['wrong-format']],
    ['{"kind":"person",}', ['wrong-format']],
    ['null', ['wrong-type']],
    ['"person"', ['wrong-type']],
    ['[{"kind":"person","id":"1"}]', ['wrong-type']],
    ['{"kind":"secret"}', ['/kind not-allowed']],
    ['{"kind":"constructor"}', ['/kind not-allowed']],
    ['{"kind":"person"}', ['/id required']],
    ['{"kind":"person","id":""}', ['/id too-short']],
    ['{"kind":"person","id":"1","__proto__":{}}', ['/__proto__ unknown-name']],
    [String.raw`{"kind":"person","id":"1","\u0000\ud800":true}`, ['/\uFFFD\uFFFD unknown-name']],
    ['{"kind":"person","id":"1","keyNumber":"secret"}', ['/keyNumber unknown-name']],
    ['{"kind":"person","id":"1","address":{"street":"secret","postOfficeBox":"1"}}', ['/address/street rule']],
    ['{"kind":"person","id":"1","lastName":"secret\\u0000"}', ['/lastName wrong-format']],
    [`{"kind":"person","id":"1","firstName":"${'secret'.repeat(14)}"}`, ['/firstName too-long']],
    [`${one},${names}}`, ['/middleName rule']],
    ['{"kind":"mapping","personId":"1"}', ['/payrollContractId required']],
    ['{"kind":"employment","payrollContractId":"c","start":"secret"}', ['/start wrong-format']],
    ['{"kind":"employment","payrollContractId":"c","workingHours":{"x":1}}', ['/workingHours/x unknown-name']],
    ['{"kind":"bankDetails","personId":"1","iban":"secret"}', ['/iban wrong-format']],
    ['{"kind":"salary","payrollContractId":"c","year":2026,"month":13}', ['/month out-of-range']],
    ['{"kind":"keyNumber","personId":"1"}', ['/keyNumber required']],
    ['{"kind":"timeDay","personId":"1","date":"2026-01-01","targetTime":1.6}', ['/targetTime wrong-format']],
    ['{"kind":"absence","id":"a","personId":"1"}', ['/startDate required']],
    ['{"kind":"person","id":"secret","id":"2"}', ['/id rule']],
    ['{"kind":"salary","kind":"person","id":"secret"}', ['/kind rule']],
    [one + String.raw`,"address":{"city":"secret", "c\u0069ty" : "x"},"lastName":"\":"}`, ['/address/city rule']],
    ['{"kind":"deletePerson","id":"secret","id":"2"}', ['/id rule']],
    ['{"kind":"deletePerson","id":"1","lastName":"secret"}', ['/lastName unknown-name']],
    ['{"kind":"deleteSalary","payrollContractId":"c","year":2026}', ['/month required']],
    ['{"kind":"deleteTimeDay","personId":"1","date":"secret"}', ['/date wrong-format']],
  ])('%s', (line, places) => {
    const read = readRecord(line);
    const issues = 'issues' in read ? read.issues : [];
    expect(issues.map(({ pointer, code }) => `${pointer} ${code}`.trim())).toEqual(places);
    expect(JSON.stringify(issues)).not.toContain('secret');
  });
});

test('texts that look like names are no duplicates, in a large record', () => {
  const field = { type: 'STRING', textValue: '":"' };
  const customFields = Array.from({ length: 6000 }, (_, index) => ({ ...field, name: String(index) }));
  expect(readRecord(JSON.stringify({ kind: 'person', id: '1', customFields }))).toHaveProperty('record');
});

test('80 characters of first and middle name are not too many', () => {
  const names = { firstName: '😀'.repeat(40), middleName: 'x'.repeat(39) };
  expect(readRecord(JSON.stringify({ kind: 'person', id: '1', ...names }))).toHaveProperty('record');
});
