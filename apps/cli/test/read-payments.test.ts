import { expect, test } from 'vitest';
import { readPayments, type PaymentFile, type PaymentFormat } from '../src/payments/read-payments.ts';

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

test('numbers are in German or English notation, whatever the delimiter; a byte order mark is skipped', () => {
  const file = read(`\uFEFF${header}\r\n1-1;2026-12;BONUS;1.234,50\r\n1-2;2026-12;BONUS;1234.50\r\n`);
  expect(file).toMatchObject({ delimiter: ';', faults: [] });
  expect(file.rows.map(({ payment }) => payment.amount)).toEqual([1234.5, 1234.5]);
  const english = read(`${header.replaceAll(';', ',')}\n1-1,2026-12,BONUS,"1,234.50"\n1-2,2026-12,BONUS,"1234,50"\n`);
  expect(english.rows.map(({ payment }) => payment.amount)).toEqual([1234.5, 1234.5]);
});

test.each(['1,2,3', '1e3', '0x10', '+1', '1 €', 'secret', '∞', ','])('%j is no number', (text) => {
  const file = read(`${header}\n1-1;2026-12;BONUS;"${text}"`);
  expect(faultsOf(file)).toEqual(['2 amount: must be a number such as 1234.50']);
});

test('a number with two meanings is an error that names its place, until its sign is given', () => {
  const content = Buffer.from(`${header}\n1-1;2026-12;BONUS;1\n1-2;2026-12;BONUS;1.234`);
  expect(() => readPayments(content, 'csv', 'payments')).toThrow(
    'payments: line 3: amount can be two numbers, as 1.234 can. Say which sign is before decimals: --decimal comma or --decimal point',
  );
  const amounts = (decimal: 'comma' | 'point') =>
    readPayments(content, 'csv', 'payments', { decimal }).rows.map(({ payment }) => payment.amount);
  expect(amounts('comma')).toEqual([1, 1234]);
  expect(amounts('point')).toEqual([1, 1.234]);
});

test('columns may have German names, and months may be dates', () => {
  const { rows } = read('Vertragsnummer;Abrechnungsmonat;Lohnart;Betrag\n1-1;01.12.2026;B;1\n');
  expect(rows).toMatchObject([{ contractId: '1-1', payment: { billingPeriod: '2026-12', amount: 1 } }]);
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
  ['contractId,Vertrag', 'the column "Vertrag" is unknown. Remove it'],
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
