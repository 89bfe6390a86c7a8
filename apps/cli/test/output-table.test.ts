import { fileURLToPath } from 'node:url';
import { fixtures } from '@hr/testing/fixtures';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { anyCharacter } from 'tooling-vitest/any-character';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import type { RecordKind } from '../src/output/record-kind.ts';
import { absenceKind, bookingKind, salaryKind } from '../src/output/record-kinds.ts';
import { demoEnvironment, homeFolder } from './run-hr.ts';
import { openTerminal } from './terminal.ts';
import { written } from './written.ts';

const program = [
  process.execPath,
  '--conditions=@hr/source',
  fileURLToPath(new URL('print-persons.ts', import.meta.url)),
];

test('A terminal of 80 columns shows a table that fits', async () => {
  await using terminal = openTerminal([...program, '4'], { columns: 80 });
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.screen).toMatchInlineSnapshot(`
    "id      lastName  firstName  jobTitle                     status  groupEntryDate
    100001  Roth      Matthias   Geschäftsführer              ACTIVE  2022-02-01
    100002  Alkhatib  Mohammad   Leiter Produktion            ACTIVE  2024-05-01
    100003  Martin    Ute        Leiterin Service und Logis…  ACTIVE  2015-08-01
    100004  Horn      Claudia    Leiterin Vertrieb            ACTIVE  2006-10-01"
  `);
  expect(terminal.output).toContain('\u001B[1mid');
});

test('A terminal of 200 columns shows more, without colour if NO_COLOR is set', async () => {
  const fields = ['id', 'lastName', 'jobTitle', 'address', 'payrollContractIds', 'employments', 'managerId'];
  const options = { columns: 200, env: { NO_COLOR: '1' } };
  await using terminal = openTerminal([...program, '4', JSON.stringify({ fields })], options);
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.screen).toMatchInlineSnapshot(`
    "id      lastName  jobTitle       address.stre…  address.hous…  address.addi…  address.post…  address.zipC…  address.city  address.stat…  address.coun…  payrollContr…  employments    managerId
    100001  Roth      Geschäftsfüh…  Lindenstraße   57                                           22085          Hamburg       DE-HH          DE             1000-20001     [{"payrollCo…
    100002  Alkhatib  Leiter Produ…  Dorfstraße     146-148                                      32423          Minden        DE-NW          DE             2000-20002     [{"payrollCo…  100001
    100003  Martin    Leiterin Ser…  Friedrich-Eb…  12-14                                        04315          Leipzig       DE-SN          DE             4000-20003     [{"payrollCo…  100001
    100004  Horn      Leiterin Ver…  Schillerstra…  79 c                                         51063          Köln          DE-NW          DE             3000-20004     [{"payrollCo…  100001"
  `);
  expect(terminal.output).not.toContain('\u001B');
});

test('A closed pipe ends a command without a failure', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const hr = `'${process.execPath}' --conditions=@hr/source '${main}'`;
  const script = `{ ${hr} time bookings; echo " ended with $?" >&2; } | head -c 20`;
  await using terminal = openTerminal(['sh', '-c', script], { env: demoEnvironment(await homeFolder()) });
  await terminal.exitCode();
  expect(terminal.screen).toMatch(/^\{"personId":"\d{6}" ended with 0$/);
});

const texts: RecordKind<object> = {
  name: 'texts',
  table: ['id', 'text', 'amount', 'other'],
  columns: [
    { name: 'id', type: 'string', value: (row) => valueOf(row, 'id') },
    { name: 'text', type: 'string', value: (row) => valueOf(row, 'text') },
    { name: 'amount', type: 'number', value: (row) => valueOf(row, 'amount') },
    { name: 'other', type: 'json', value: (row) => valueOf(row, 'other') },
  ],
};

function valueOf(row: object, name: string): unknown {
  return (row as Record<string, unknown>)[name];
}

test('Columns are aligned by their width on the screen, numbers to the right, and long texts are cut', async () => {
  const rows = [
    { id: '1', text: '山田太郎', amount: 1.5, other: ['a', 'b'] },
    { id: '2', text: 'Zoë 👩‍👩‍👧', amount: -1200, other: { a: 1 } },
    { id: '3', text: 'Ein sehr langer Text, 山田, der nicht passt' },
  ];
  const env = { NO_COLOR: '1' };
  const { stdout } = await written({}, texts, rows, { columns: 40, env });
  expect(stdout).toMatchInlineSnapshot(`
    "id  text                 amount  other
    1   山田太郎                1.5  a, b
    2   Zoë 👩‍👩‍👧                -1200  {"a":1}
    3   Ein sehr langer Te…
    "
  `);
  const narrow = await written({}, texts, rows, { columns: 24, env });
  expect(narrow.stdout).toMatchInlineSnapshot(`
    "id  text          amount
    1   山田太郎         1.5
    2   Zoë 👩‍👩‍👧         -1200
    3   Ein sehr la…
    "
  `);
});

test('No line is wider than the terminal, whatever the texts are', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: 'grapheme-composite' }),
    fc.emailAddress(),
  );
  const row = fc.record({ id: text, text, amount: fc.integer({ min: -999, max: 999 }), other: fc.array(text) });
  const list = fc.array(row, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(list, fc.integer({ min: 10, max: 120 }), async (rows, columns) => {
      const { stdout } = await written({}, texts, rows, { columns, env: { NO_COLOR: '1' } });
      const lines = stdout.split('\n').slice(0, -1);
      expect(lines).toHaveLength(rows.length + 1);
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 30 * testScale },
  );
});

test('A table has no characters that control the terminal or change the direction of text', async () => {
  const [absence] = fixtures().absence.list(1);
  const absences = [{ ...absence, id: '1', key: 'a\u001B[31m\u009B\u202Eb\u2066\r\n\tc\u0000\u200Bd' }];
  const { stdout } = await written({ fields: ['id', 'key'] }, absenceKind, absences as never, { columns: 80 });
  expect(stdout).toBe('\u001B[1mid  key\u001B[22m\n1   a[31mb cd\n');
  const piped = await written({ fields: ['key', 'id'], output: 'table' }, absenceKind, absences as never);
  expect(piped.stdout).toBe('a[31mb cd\t1\n');
});

test('The first 1000 rows set the widths of a list of any length, and later texts may use the rest', async () => {
  const rows = Array.from({ length: 2500 }, (_, n) => ({ id: n, text: 'x'.repeat(n < 1000 ? 5 : 30), amount: n }));
  const { stdout, records } = await written({}, texts, rows, { columns: 40, env: { TERM: 'dumb' } });
  const lines = stdout.split('\n');
  expect(records).toBe(rows.length);
  expect(lines).toHaveLength(rows.length + 2);
  expect([lines[0], lines[1000], lines[1001], lines[2500]]).toMatchInlineSnapshot(`
    [
      "id        text        amount  other",
      "999       xxxxx          999",
      "1000      xxxxxxxxx…    1000",
      "2499      xxxxxxxxx…    2499",
    ]
  `);
});

test('A terminal that does not know its width has 80 columns', async () => {
  const { stdout } = await written({}, texts, [{ id: 'x'.repeat(100) }], { columns: 0, env: { NO_COLOR: '1' } });
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBe(80);
});

test('An empty table says so on standard error', async () => {
  expect(await written({}, absenceKind, [], { columns: 80 })).toEqual({
    stdout: '',
    stderr: 'No absences.\n',
    records: 0,
  });
  expect(await written({ output: 'table' }, bookingKind, [])).toMatchObject({ stderr: 'No time bookings.\n' });
  expect(await written({ output: 'csv' }, salaryKind, [])).toMatchObject({ stderr: '' });
});
