import { expect, test } from 'vitest';
import { numberOf, readPayments, type PaymentFile, type PaymentFormat } from '../src/payments/read-payments.ts';

function read(content: string, format: PaymentFormat = 'csv'): PaymentFile {
  return readPayments(Buffer.from(content), format, 'payments');
}

const faultsOf = (file: PaymentFile): string[] =>
  file.faults.map(({ line, column, detail }) => `${line} ${column}: ${detail}`);

test('all fields are read; empty cells and empty rows are absent, and spaces around cells do not count', () => {
  const { rows, faults } =
    read(`contractId,billingPeriod,correctionPeriod,compensationComponentId,amount,hours,days,hourlyFactor,percentage
1-1, 2026-12 ,2026-11,BONUS,-1.50,2,3,4,5
"a ""b"", c",2026-12,,"B
1",0,,,,

,,,,,,,,
`);
  expect(faults).toEqual([]);
  expect(rows).toMatchObject([
    {
      line: 2,
      contractId: '1-1',
      payment: {
        billingPeriod: '2026-12',
        correctionPeriod: '2026-11',
        compensationComponentId: 'BONUS',
        amount: -1.5,
        hours: 2,
        days: 3,
        hourlyFactor: 4,
        percentage: 5,
      },
    },
    { contractId: 'a "b", c', payment: { billingPeriod: '2026-12', compensationComponentId: 'B\n1', amount: 0 } },
  ]);
  expect(Object.keys(rows[1]?.payment ?? {})).toEqual(['billingPeriod', 'compensationComponentId', 'amount']);
});

const header = 'contractId;billingPeriod;compensationComponentId;amount';

test('with semicolons, numbers have a decimal comma; a byte order mark is skipped', () => {
  const file = read(`\uFEFF${header}\r\n1-1;2026-12;BONUS;1234,50\r\n`);
  expect(file).toMatchObject({ delimiter: ';', rows: [{ payment: { amount: 1234.5 } }], faults: [] });
});

test.each(['1.234,50', '1234.50', '1,2,3', '1e3', '0x10', '+1', '1 €', 'secret', '∞', ','])(
  '%j is no number',
  (text) => {
    const file = read(`${header}\n1-1;2026-12;BONUS;"${text}"`);
    expect(faultsOf(file)).toEqual([
      '2 amount: must be a number such as 1234,50, without thousands separators, with a decimal comma because the delimiter is ;',
    ]);
  },
);

test.each([
  ['1.234.567,5', 'comma', 1_234_567.5],
  ['1234,5', 'comma', 1234.5],
  ['-1,234', 'point', -1234],
  ['1.5E-7', 'point', 1.5e-7],
  ['1.23,5', 'comma', undefined],
  ['12345.678', 'comma', undefined],
  ['1,234,56', 'point', undefined],
  ['1.234', 'comma', 1234],
] as const)('with thousands separators, %j with a decimal %s is %s', (text, decimal, expected) => {
  expect(numberOf(text, decimal, true)).toBe(expected);
});

test('an export of approved payments is read as it is', () => {
  const { rows, faults } = read('payrollContractId,billingPeriod,compensationComponentId,amount\n1-1,2026-12,B,1.5\n');
  expect(faults).toEqual([]);
  expect(rows).toMatchObject([{ contractId: '1-1', payment: { amount: 1.5 } }]);
});

test('what --excel adds to a text is removed, and a tab that other programs add', () => {
  const { rows } = read(`${header}\n"=""1-1""";"=""2026-12""";'=B;1\n''=1;2026-12;"\t=B";1\n'b;2026-12;'1;1\n`);
  const ids = rows.map(({ contractId, payment }) => [contractId, payment.compensationComponentId]);
  expect(ids).toEqual([
    ['1-1', '=B'],
    ["'=1", '=B'],
    ["'b", "'1"],
  ]);
});

test('each fault of each row has its line and column, and no value', () => {
  const file = read(`${header}
;2026-13;;1
.;2026-12;BONUS;1
1-1;2026-12;BONUS
1-1;2026-12;BONUS;
1-1;2026-12;BONUS;9999999999999
1-1;2026-12;BONUS;1`);
  expect(faultsOf(file)).toEqual([
    '2 contractId: is required',
    '2 billingPeriod: must be a month YYYY-MM, 01 to 12',
    '2 compensationComponentId: is required',
    '3 contractId: must not be "." or "..": a URL drops such a part of its path',
    '4 : must have 4 cells like the header, but has 3. Put a cell with a delimiter in quotes',
    '5 : needs at least one of amount, hours, days, hourlyFactor, percentage',
    '6 amount: must be at most 1000000000000',
  ]);
  expect(file.rows.map(({ line }) => line)).toEqual([7]);
});

test.each([
  ['contractId,billingPeriod,amount\n', 'the column compensationComponentId is missing. Add it.'],
  [
    'contractId,billingPeriod,compensationComponentId\n',
    'a column with values is missing. Add at least one of amount,',
  ],
  ['contractId,payrollContractId', 'the column "payrollContractId" is unknown. Remove it'],
  ['postalCode', 'the column "postalCode" is unknown. Write zipCode.'],
  ['Contract ID', 'the column "Contract ID" is unknown. Write contractId.'],
  ['colour', 'the column "colour" is unknown. Remove it, or correct its name.\n'],
  ['amount,amount', 'the column "amount" appears twice. Remove one.'],
  [`${header}\n`, 'payments: it has no payments.'],
  ['', 'the header is wrong'],
  [`${header}\n1-1;"secret;2026-12`, 'has a quote that is not closed'],
  [`${header}\n1-1;"secret"x;2026-12`, 'text beside quotes'],
])('%j as a whole is refused', (content, message) => {
  expect(() => read(content)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
  );
  expect(() => read(content)).not.toThrow('secret');
});

test('a file that is not UTF-8 is refused', () => {
  const latin = Buffer.from(`${header}\nMüller;2026-12;BONUS;1`, 'latin1');
  expect(() => readPayments(latin, 'csv', 'payments')).toThrow('Save it as UTF-8');
});

test('lines of JSON are checked like rows', () => {
  const row = { contractId: '1-1', billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 1.5 };
  const lines = [row, { ...row, amount: '1' }, { ...row, payee: 'secret' }, [row], null].map((line) =>
    JSON.stringify(line),
  );
  const file = read(`\uFEFF${[...lines, '', '{"contractId": secret'].join('\r\n')}`, 'ndjson');
  expect(file.rows).toMatchObject([{ line: 1, contractId: '1-1', payment: { amount: 1.5 } }]);
  expect(faultsOf(file)).toEqual([
    '2 amount: must be a number',
    '3 payee: is not known here; remove it or correct its name',
    '4 : must be one JSON object',
    '5 : must be one JSON object',
    '7 : must be one JSON object',
  ]);
});
