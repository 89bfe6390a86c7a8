import { paymentIssues } from '@hr/client';
import { paymentContent, type OutboxPayment } from '@hr/client/mirror';
import { isLocalDate, toMinutes, type TimeBookingPerson, type VariablePayment } from '@hr/schemas';
import { fixtures } from '@hr/testing/fixtures';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import type { RecordKind } from '../src/output/record-kind.ts';
import { bookingKind, paymentKind, personKind, salaryKind } from '../src/output/record-kinds.ts';
import { readPayments } from '../src/payments/read-payments.ts';
import { written } from './written.ts';

const { person, timeBookingPerson, variablePayment } = fixtures();

type Row = Record<string, string | null>;

/** CSV as a strict reader understands it: no value is null, and an empty text is "". */
function rowsOf(csv: string, delimiter = ','): Row[] {
  return parse(csv, {
    delimiter,
    columns: true,
    bom: true,
    record_delimiter: '\r\n',
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value) as string,
  });
}

function valueAt(element: unknown, name: string): unknown {
  return name.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], element);
}

test('CSV has every value unchanged, and tells an empty text from no value', async () => {
  const rows = fc.array(person.arbitrary(fc), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(rows, async (persons) => {
      const { stdout } = await written({ output: 'csv' }, personKind, persons);
      const expected = persons.map((element) =>
        personKind.columns.map(({ name }) => {
          const value = valueAt(element, name) ?? null;
          return [name, value === null || typeof value === 'string' ? value : JSON.stringify(value)];
        }),
      );
      expect(rowsOf(stdout)).toEqual(expected.map((cells) => Object.fromEntries(cells) as Row));
    }),
    { numRuns: 30 * testScale },
  );
});

test('CSV of time bookings has a row for each day, and minutes', async () => {
  const [one, two] = timeBookingPerson.list(2);
  const { stdout, records } = await written({ output: 'csv' }, bookingKind, [one, two] as TimeBookingPerson[]);
  const days = [one, two].flatMap((element) =>
    (element?.days ?? []).map((day) => ({ ...day, personId: element?.personId })),
  );
  expect(records).toBe(days.length);
  expect(rowsOf(stdout)).toEqual(
    days.map(({ personId, date, targetTime, bookedTime, chargeableTime, bookings }) => ({
      personId,
      date,
      targetMinutes: String(toMinutes(targetTime ?? 0)),
      bookedMinutes: String(toMinutes(bookedTime ?? 0)),
      chargeableMinutes: String(toMinutes(chargeableTime ?? 0)),
      bookings: JSON.stringify(bookings),
    })),
  );
});

test('A row of one column without a value is not an empty line, which readers skip', async () => {
  const { stdout } = await written({ output: 'csv', fields: ['academicTitle'] }, personKind, [
    { id: '1' },
    { id: '2' },
  ]);
  expect(stdout).toBe('academicTitle\r\n""\r\n""\r\n');
});

/** What a spreadsheet makes of a cell. It fails for a formula, and for text that Excel turns into something else. */
function opened(cell: string, language: 'de' | 'en'): string | number {
  const constant = /^="([^"]*)"$/.exec(cell);
  if (constant) return constant[1] ?? '';
  const number = language === 'de' ? cell.replace(',', '.') : cell;
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(number)) return Number(number);
  if (cell.startsWith("'") && isFormula(cell.replace(/^'+/, ''))) return cell.slice(1);
  expect(isFormula(cell)).toBe(false);
  // Other digits are only in what is no number or date.
  expect(isLocalDate(cell) || !/\p{Nd}/u.test(cell) || cell.length > 255 || /["\p{Cc}]/u.test(cell)).toBe(true);
  return cell;
}

function isFormula(text: string): boolean {
  const [first = ''] = text.replace(/^[\s\p{C}]+/u, '');
  return /^[\t\r]/.test(text) || /^[=+\-@]/.test(first.normalize('NFKC'));
}

const hostile = fc.oneof(
  fc.constantFrom(
    '=1+1',
    '+49 30 1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '\u3000＝1',
    '＋1',
    '－1',
    '＠A1',
    '\u200B=1',
  ),
  fc.constantFrom(
    '00123',
    '1E5',
    '12345678901234567890',
    '12-2026',
    '1/2',
    '5 a',
    '１２３',
    "'=1",
    "''=a",
    'TRUE',
    'falsch',
    '1,5',
    '1.5',
  ),
  fc.constantFrom(
    '="1"',
    '=HYPERLINK("x";"y")',
    '5"',
    'a;b',
    'a,b',
    'a\nb',
    '"',
    '',
    'Weiß',
    '=1',
    `${'x'.repeat(255)}1`,
  ),
  fc
    .tuple(
      fc.constantFrom('', ' ', '\t', '\u00A0', '\uFEFF'),
      fc.constantFrom('=', '+', '-', '@', '＝', '1'),
      fc.string(),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter }),
);

test.each([
  ['de', ';'],
  ['en', ','],
] as const)('CSV for a spreadsheet (%s) opens as what the API said, and runs no formula', async (excel, delimiter) => {
  const amount = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }), fc.integer());
  const entry = fc.record({ payrollContractId: hostile, year: fc.integer(), month: fc.integer(), totalSalary: amount });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 5 }), async (entries) => {
      const { stdout } = await written({ excel }, salaryKind, entries);
      expect(stdout.startsWith('\uFEFFpayrollContractId')).toBe(true);
      const rows = rowsOf(stdout, delimiter).map((row) => [
        opened(row['payrollContractId'] ?? '', excel),
        opened(row['totalSalary'] ?? '', excel),
      ]);
      expect(rows).toEqual(entries.map(({ payrollContractId, totalSalary }) => [payrollContractId, totalSalary + 0]));
    }),
  );
});

test.each(['de', 'en'] as const)('Payments for a spreadsheet (%s) are read back as they were', async (excel) => {
  const ids = { payrollContractId: hostile, compensationComponentId: hostile };
  const payment = fc
    .tuple(variablePayment.arbitrary(fc), fc.record(ids))
    .map((parts): VariablePayment => Object.assign({}, ...parts))
    .filter(({ payrollContractId, ...content }) => isSendable(payrollContractId, content));
  await fc.assert(
    fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 5 }), async (payments) => {
      const { stdout } = await written({ excel }, paymentKind, payments);
      const { rows, faults } = readPayments(Buffer.from(stdout), 'csv', 'payments');
      expect(faults).toEqual([]);
      expect(rows.map(({ content }) => content)).toEqual(
        payments.map(({ payrollContractId, ...content }) =>
          paymentContent(payrollContractId, content as OutboxPayment),
        ),
      );
    }),
    { numRuns: 100 * testScale },
  );
});

function isSendable(contractId: string, content: object): boolean {
  return paymentIssues({ contractId, ...content }).length === 0;
}

test('A number that could be two has a fourth decimal for a spreadsheet', async () => {
  const period = { billingPeriod: '2026-12', correctionPeriod: '2026-12' };
  const payment = { payrollContractId: '1-1', ...period, compensationComponentId: 'B', amount: -1.234 };
  const { stdout } = await written({ excel: 'de' }, paymentKind, [payment]);
  expect(stdout).toContain(';"-1,2340"');
  expect(readPayments(Buffer.from(stdout), 'csv', 'payments').rows).toMatchObject([{ payment: { amount: -1.234 } }]);
  expect((await written({ output: 'csv' }, paymentKind, [payment])).stdout).toContain(',-1.234');
});

test('In German CSV, a cell with a comma or a line break is quoted', async () => {
  const entry = { payrollContractId: 'a,b', year: 2026, month: 1, totalSalary: 1234.5, baseSalary: 2 };
  const fields = ['payrollContractId', 'totalSalary', 'baseSalary'];
  const { stdout } = await written({ excel: 'de', fields }, salaryKind, [
    entry,
    { ...entry, payrollContractId: 'a\nb' },
  ]);
  expect(stdout.split('\r\n').slice(1)).toEqual(['"a,b";"1234,5";2', '"a\nb";"1234,5";2', '']);
});

test('A spreadsheet reads dates and times as such, unless they are not valid', async () => {
  const kind: RecordKind<object> = {
    name: 'times',
    table: [],
    columns: (['date', 'datetime'] as const).map((type) => ({
      name: type,
      type,
      value: (row) => (row as Row)[type],
    })),
  };
  const times = [
    { date: '2026-01-31', datetime: '2026-01-31T08:15:00' },
    { date: '=1+1', datetime: '-1' },
  ];
  expect((await written({ excel: 'en' }, kind, times)).stdout).toBe(
    "\uFEFFdate,datetime\r\n2026-01-31,2026-01-31 08:15:00\r\n'=1+1,'-1\r\n",
  );
});

test.each([
  ['de_DE.UTF-8', 'year;'],
  ['en_US.UTF-8', 'year,'],
  ['C', 'year,'],
  [undefined, 'year,'],
])('--excel without a language takes that of the locale %s', async (locale, header) => {
  const env = { LANG: locale };
  const { stdout } = await written({ excel: true, fields: ['year', 'month'] }, salaryKind, [], { env });
  expect(stdout).toContain(header);
});
