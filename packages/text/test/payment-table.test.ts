import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPaymentTable, type PaymentTable } from '../src/payment-table.ts';
import { fieldOfHeading, paymentFields } from '../src/read-payment.ts';

const faultsOf = ({ rows }: PaymentTable): string[] =>
  rows.flatMap(({ line, faults }) => faults.map(({ field, code }) => `${line} ${field}: ${code}`));

test.each([
  ['Vertragsnummer\tAbrechnungsmonat\tLohnart\tBetrag\n1-1\t01.12.2026\tB\t1.234,50\n', '\t'],
  ['payroll contract;Billing Period;component;AMOUNT\r\n"=""1-1""";"=""2026-12""";B;1234.50\r\n', ';'],
  ['payrollContractId,billing_period,compensation-component,amount\n1-1,12/2026,B,"1,234.50"\n', ','],
])('columns have German or English names, and cells are written as spreadsheets do: %j', (content, delimiter) => {
  const table = readPaymentTable(content);
  expect(table).toMatchObject({ delimiter, faults: [], rows: [{ line: 2, faults: [] }] });
  const payment = { billingPeriod: '2026-12', compensationComponentId: 'B', amount: 1234.5 };
  expect(table.rows[0]?.given).toEqual({ contractId: '1-1', payment });
});

test('each field has its own name, and no heading names two', () => {
  expect(paymentFields.map(fieldOfHeading)).toEqual(paymentFields);
  expect(fieldOfHeading('Name')).toBeUndefined();
});

test('a number with two meanings is a question, until the sign is given', () => {
  const content = 'contractId;billingPeriod;compensationComponentId;amount;hours\n1-1;2026-13;B;1.234;x\n';
  const table = readPaymentTable(content);
  expect(table.rows[0]?.question).toEqual({ field: 'amount', text: '1.234', comma: 1234, point: 1.234 });
  expect(faultsOf(table)).toEqual([
    '2 amount: ambiguous-number',
    '2 hours: not-a-number',
    '2 billingPeriod: wrong-format',
  ]);
  const answered = readPaymentTable(content.replace('13', '12').replace(';x', ';'), { sign: 'comma' });
  expect(answered.rows[0]?.given?.payment.amount).toBe(1234);
});

test.each([
  ['contractId,billingPeriod,amount,Name', ['unknown Name', 'missing compensationComponentId']],
  ['contractId,billingPeriod,component,amount,Betrag', ['unknown Betrag']],
  ['contractId,billingPeriod,component,component,amount', ['repeated component']],
  ['contractId,billingPeriod,component', ['no-values']],
  ['contractId,lastName,firstName,employeeNumber,billingPeriod,component,amount', []],
])('the columns %s have faults', (header, expected) => {
  const { faults } = readPaymentTable(header);
  expect(faults.map(({ code, heading, field }) => [code, heading ?? field].filter(Boolean).join(' '))).toEqual(
    expected,
  );
});

test('a form names the columns, and what is the same in every row', () => {
  const columns = { contractId: 'Nr', billingPeriod: 'Monat', correctionPeriod: 'Monat', amount: 'EUR' };
  const values = { compensationComponentId: 'B' };
  const content = 'Nr|Monat|EUR\n1-1|2026-12|1\n1-2|2026-12|\n';
  const table = readPaymentTable(content, { columns, values, delimiter: '|', skipsEmpty: true });
  expect(table.faults).toEqual([]);
  const payment = { billingPeriod: '2026-12', correctionPeriod: '2026-12', compensationComponentId: 'B', amount: 1 };
  expect(table.rows.map(({ given }) => given)).toEqual([{ contractId: '1-1', payment }]);
  const { faults } = readPaymentTable('Monat,EUR', { columns, values: { ...values, amount: '1' } });
  expect(faults).toEqual([
    { code: 'missing', field: 'contractId', heading: 'Nr' },
    { code: 'given-twice', field: 'amount', heading: 'EUR' },
  ]);
});

test('rows of a template without a value are left out', () => {
  const header = 'contractId;lastName;billingPeriod;compensationComponentId;amount';
  const { rows } = readPaymentTable(`${header}\n1-1;Ek;2026-12;B;\n1-2;Ek;2026-12;B;1\n`);
  expect(rows.map(({ line }) => line)).toEqual([3]);
  expect(faultsOf(readPaymentTable(`${header.replace('lastName;', '')}\n1-1;2026-12;B;\n`))).toEqual([
    '2 undefined: rule',
  ]);
});

test('an amount has one value or is a question, whatever the notation, the delimiter and the other columns', () => {
  const amount = fc.oneof(
    fc.integer({ min: -(10 ** 11), max: 10 ** 11 }).map((number) => number / 100),
    fc.integer({ min: -9_999_999, max: 9_999_999 }).map((number) => number / 1000),
  );
  const notation = fc.record({
    locale: fc.constantFrom('de', 'en'),
    useGrouping: fc.boolean(),
    minimumFractionDigits: fc.integer({ min: 0, max: 3 }),
  });
  const delimiters = fc.constantFrom(';', ',', '\t');
  fc.assert(
    fc.property(
      amount,
      notation,
      delimiters,
      fc.constantFrom('Betrag', 'amount'),
      (value, style, delimiter, heading) => {
        const { locale, ...options } = style;
        const text = value.toLocaleString(locale, { ...options, maximumFractionDigits: 3 });
        const content = stringify(
          [
            ['contractId', 'billingPeriod', 'component', heading],
            ['1-1', '2026-12', 'B', text],
          ],
          { delimiter },
        );
        const sign = locale === 'de' ? 'comma' : 'point';
        const [row] = readPaymentTable(content).rows;
        expect(row?.question ? row.question[sign] : row?.given?.payment.amount).toBe(value);
        expect(readPaymentTable(content, { sign }).rows[0]?.given?.payment.amount).toBe(value);
      },
    ),
  );
});
