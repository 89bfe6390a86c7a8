import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeHrCloud } from '@hr/testing/fake';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { homeFolder, runHr, type Ended } from './run-hr.ts';

const fake = await startFakeHrCloud();
afterAll(() => fake.stop());

let home: string;
beforeEach(async () => {
  fake.reset();
  home = await homeFolder();
});

const hr = (...args: string[]): Promise<Ended> => {
  const { url, clientId, clientSecret } = fake;
  const env = { HR_HOME: home, HR_BASE_URL: url, HR_CLIENT_ID: clientId, HR_CLIENT_SECRET: clientSecret };
  return runHr(['payments', ...args], { env });
};
const paid = (): object[] =>
  fake.payments.list().toSorted((one, other) => (one.payrollContractId < other.payrollContractId ? -1 : 1));
const results = async (file: string): Promise<Record<string, string>[]> =>
  parse(await readFile(file), { bom: true, columns: true, delimiter: ';' });

function addContract(payrollContractId: string, dates: { start: string; end?: string }, lastName = 'Ek'): void {
  fake.contracts.add({ payrollContractId, personId: fake.persons.add({ lastName, firstName: 'Ada' }).id, ...dates });
}

const sheet = `Personalnummer-Vertrag;Name;Betrag EUR;Std.
1000-20001;Müller, Jörg;1.234,50;
1000-20002;Ek, Ada;;
1000-20003;Roth, Eva;80;7,5
`;
const bonusSheet = [
  'Personalnummer-Vertrag=contractId',
  'Betrag EUR=amount',
  'Std.=hours',
  'compensationComponentId=BONUS',
];

test('a map is stored for its owner alone, shown, changed and deleted', async () => {
  expect(await hr('map', 'bonus-sheet', ...bonusSheet, '--decimal', 'comma')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Stored the map bonus-sheet.\n',
  });
  expect((await stat(join(home, 'default/maps.toml'))).mode & 0o777).toBe(0o600);
  await hr('map', 'bonus-sheet', 'Betrag=amount', 'hours=1', '--ignore-columns', '--ignore-rows');
  await hr('map', 'other', 'amount=amount');
  expect(await hr('map', 'bonus-sheet')).toEqual({
    code: 0,
    stderr: '',
    stdout: `[bonus-sheet]
decimal = "comma"
ignoreColumns = true
ignoreRows = true

[bonus-sheet.columns]
contractId = "Personalnummer-Vertrag"
amount = "Betrag"

[bonus-sheet.values]
compensationComponentId = "BONUS"
hours = "1"
`,
  });
  expect(await hr('map', 'bonus-sheet', '--delete')).toMatchObject({ code: 0 });
  expect((await hr('map')).stdout).toBe('[other.columns]\namount = "amount"\n\n[other.values]\n');
});

test.each([
  [['map', 'unknown'], 'There is no map unknown. To see the maps, run: hr payments map'],
  [['map', 'unknown', '--delete'], 'There is no map unknown.'],
  [['map', '../x', 'a=amount'], 'A name of a map has letters'],
  [['map', 'x', 'a=b'], 'a=b: write a column and its field, such as "Betrag=amount"'],
  [['map', 'x', 'amount'], 'amount: write a column and its field'],
  [['map', 'x', 'a=amount', 'b=amount'], 'b=amount: write a column and its field, such as "Betrag=amount", or a'],
  [['submit', '--file', 'x.csv', '--map', 'unknown'], 'There is no map unknown.'],
  [
    ['submit', '--file', 'x.ndjson', '--period', '2026-12'],
    '--map, --decimal, --period, --correction-period and --component are',
  ],
])('%j is a wrong usage', async (args, message) => {
  expect(await hr(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
});

test('a sheet of payroll is submitted by its map, and its result has all of its columns', async () => {
  addContract('1000-20001', { start: '2026-01-01' });
  addContract('1000-20003', { start: '2026-01-01' });
  const file = join(home, 'december.csv');
  await writeFile(file, sheet, 'latin1');
  await hr('map', 'bonus-sheet', ...bonusSheet, '--ignore-rows', '--encoding', 'windows-1252');
  const submit = ['submit', '--file', file, '--map', 'bonus-sheet', '--yes'];
  expect(await hr(...submit)).toMatchObject({
    code: 2,
    stderr: `hr: ${file}: the header is wrong:
  the column "Name" is not in the map bonus-sheet. Map or ignore it.
  no column is billingPeriod. Map one, or store what is the same in every row: hr payments map bonus-sheet billingPeriod=<value>
  To map a column: hr payments map bonus-sheet "<column>=<field>"
  To ignore the others: hr payments map bonus-sheet --ignore-columns
`,
  });
  await hr('map', 'bonus-sheet', '--ignore-columns');
  expect(await hr(...submit, '--period', '2026-12')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Without a value, left out: 1 row\n.*: 2 payments for 2 contracts\n/) as string,
  });
  const common = { billingPeriod: '2026-12', correctionPeriod: '2026-12', compensationComponentId: 'BONUS' };
  expect(paid()).toMatchObject([
    { payrollContractId: '1000-20001', ...common, amount: 1234.5 },
    { payrollContractId: '1000-20003', ...common, amount: 80, hours: 7.5 },
  ]);
  const [first, ...others] = await results(join(home, 'december.result.csv'));
  expect(first).toMatchObject({ Name: 'Müller, Jörg', 'Betrag EUR': '1.234,50', 'Std.': '', line: '2', state: 'sent' });
  expect(others.map(({ Name, state }) => `${Name}: ${state}`)).toEqual(['Ek, Ada: no-value', 'Roth, Eva: sent']);
});

test('faults of a sheet name its columns', async () => {
  const file = join(home, 'december.csv');
  await writeFile(file, `${sheet}1000-20004;Koch, Ida;12.50;1,5h\n;Horn, Max;1;\n`);
  await hr('map', 'bonus-sheet', ...bonusSheet, 'billingPeriod=2026-12', '--ignore-columns');
  const submit = ['submit', '--file', file, '--map', 'bonus-sheet', '--yes'];
  expect((await hr(...submit)).stderr).toBe(
    `${file}: 3 of 5 rows cannot be sent:
  line 3: the row needs at least one of amount, hours, days, hourlyFactor, percentage.
  line 5: Std. must be a number such as 1234.50.
  line 6: Personalnummer-Vertrag is required.
hr: Nothing was sent. Correct 3 rows, or pass --skip-invalid to send the others.
`,
  );

  await writeFile(file, sheet.replace('7,5', '1,234').replace(';;', ';1;'));
  expect((await hr(...submit)).stderr).toBe(
    `hr: ${file}: line 4: Std. can be two numbers, as 1.234 can. Say which sign is before decimals: --decimal comma or --decimal point, or store it: hr payments map bonus-sheet --decimal comma|point\n`,
  );
  expect(await hr(...submit, '--decimal', 'point', '--dry-run')).toMatchObject({ code: 0 });
  await hr('map', 'bonus-sheet', '--decimal', 'comma');
  expect(await hr(...submit, '--dry-run')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('hours 1.234') as string,
  });
});

test('a template has the contracts of the month, and is submitted when it is filled in', async () => {
  addContract('ended', { start: '2020-01-01', end: '2026-11-30' });
  addContract('later', { start: '2027-01-01' });
  addContract('1-0042', { start: '2026-12-31' }, 'Müller');
  addContract('leaves', { start: '2020-01-01', end: '2026-12-01' }, '=1+1');
  const file = join(home, 'bonus.csv');
  const template = ['template', '--period', '2026-12', '--component', 'BONUS', '--out', file];
  expect(await hr(...template)).toMatchObject({ code: 0, stderr: `Wrote 2 payroll contracts to ${file}.\n` });
  const written = await readFile(file, 'utf8');
  const [header = '', ...rows] = written.split('\r\n');
  expect(header).toBe(
    '\uFEFFcontractId;employeeNumber;lastName;firstName;billingPeriod;correctionPeriod;compensationComponentId;amount;hours;days;hourlyFactor;percentage',
  );
  expect(rows).toEqual([
    '"=""1-0042""";;Müller;Ada;"=""2026-12""";;BONUS;;;;;',
    `leaves;;'=1+1;Ada;"=""2026-12""";;BONUS;;;;;`,
    '',
  ]);
  expect(await hr('submit', '--file', file, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it has no payments. Fill in') as string,
  });

  // As older spreadsheets save it.
  await writeFile(file, written.replace(';BONUS;;', ';BONUS;"1234,5";').replace('\uFEFF', ''), 'latin1');
  expect(await hr('submit', '--file', file, '--yes')).toMatchObject({ code: 0 });
  expect(paid()).toMatchObject([{ payrollContractId: '1-0042', billingPeriod: '2026-12', amount: 1234.5 }]);
  const [first, second] = await results(join(home, 'bonus.result.csv'));
  expect(first).toMatchObject({ contractId: '="1-0042"', lastName: 'Müller', amount: '1234,5', state: 'sent' });
  expect(second).toMatchObject({ contractId: 'leaves', lastName: "'=1+1", state: 'no-value' });
});
