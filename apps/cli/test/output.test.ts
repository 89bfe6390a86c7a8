import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fixtures } from '@hr/testing/fixtures';
import type { Label } from '@hr/text/labels';
import { expect, test } from 'vitest';
import { CliError, exitCodes } from '../src/cli-error.ts';
import type { RecordKind } from '../src/output/record-kind.ts';
import { absenceKind, bookingKind, personKind, salaryKind } from '../src/output/record-kinds.ts';
import { writeRecords, type OutputFlags } from '../src/output/write-records.ts';
import { written } from './written.ts';

const { person, absence, timeBookingPerson } = fixtures();
const persons = [{ ...person.build(), firstName: null, shoeSize: 43 }, person.build()];

test('JSON is one array of the elements of the API, and NDJSON a line for each', async () => {
  const json = await written({ json: true }, personKind, persons);
  expect(JSON.parse(json.stdout)).toEqual(persons);
  expect(json.records).toBe(persons.length);
  expect(await written({ json: true }, personKind, [])).toEqual({ stdout: '[]\n', stderr: '', records: 0 });

  const ndjson = await written({}, personKind, persons);
  expect(ndjson.stdout).toBe(persons.map((element) => `${JSON.stringify(element)}\n`).join(''));
  const days = [timeBookingPerson.build()];
  expect(JSON.parse((await written({ output: 'json' }, bookingKind, days)).stdout)).toEqual(days);
});

test('--fields restricts elements and rows, in its order', async () => {
  const [, { id, lastName, address }] = persons as [unknown, (typeof persons)[1]];
  const { city, zipCode } = address ?? {};
  const fields = ['address.city', ' lastName', 'firstName', 'address.zipCode', 'id'];
  expect((await written({ fields }, personKind, persons)).stdout.split('\n')[1]).toBe(
    JSON.stringify({ address: { city, zipCode }, lastName, firstName: persons[1]?.firstName, id }),
  );
  const csv = await written({ output: 'csv', fields: ['id', 'bankDetails', 'id'] }, personKind, persons);
  expect(csv.stdout.split('\r\n')[0]).toBe('id,bankDetails.iban,bankDetails.bic,bankDetails.payee');
  const whole = await written({ fields: ['address', 'address.city'] }, personKind, persons);
  expect(JSON.parse(whole.stdout.split('\n')[1] ?? '')).toEqual({ address });
});

test.each<[OutputFlags, string]>([
  [{ fields: ['lastname'] }, '--fields: unknown field "lastname". Did you mean lastName'],
  [{ fields: ['id', 'adress.city'] }, 'unknown field "adress.city". Did you mean address.city?\nFields:\n  id\n'],
  [{ output: 'csv', fields: [''] }, 'unknown field "".\nFields:\n  id\n  academicTitle\n'],
  [{ output: 'parquet' }, 'Parquet needs a file. Name it with --out'],
  [{ json: true, output: 'csv' }, '--json contradicts --output csv'],
  [{ excel: 'de', json: true }, '--excel writes CSV, not json'],
  [{ rows: 'contracts' }, '--rows: persons have no such list. Use groups or employments or customFields.'],
  [{ rows: 'groups', fields: ['employments.start'] }, '--fields: a row of groups has no fields of employments.'],
  [{ output: 'csv', fields: ['groups.id', 'employments.start'] }, '--fields: a row of groups has no fields of'],
  [{ output: 'csv', fields: ['employments.begin'] }, 'unknown field "employments.begin".'],
  [{ out: 'persons.xlsx' }, 'the extension of persons.xlsx does not say the format. Use one of .csv, .json'],
])('Wrong flags %j are wrong usage, before anything is read', async (flags, message) => {
  const unread: Iterable<never> = {
    [Symbol.iterator]: () => {
      throw new Error('was read');
    },
  };
  const failure = await written(flags, personKind, unread).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CliError);
  expect((failure as CliError).message).toContain(message);
  expect((failure as CliError).exitCode).toBe(exitCodes.usage);
});

test('Fields of rows are not fields of JSON, whose elements are other objects', async () => {
  const naming = written({ fields: ['date'] }, bookingKind, []);
  await expect(naming).rejects.toThrow('"date" is a column of tables, CSV and Parquet. JSON has personId, days. Name');
});

test('A time that is not hours and minutes fails instead of becoming wrong minutes', async () => {
  const wrong = [{ personId: '1', days: [{ date: '2026-01-31', bookedTime: 1.75 }] }];
  await expect(written({ output: 'csv' }, bookingKind, wrong)).rejects.toThrow('bookedTime: a value is not hours and');
  expect((await written({}, bookingKind, wrong)).stdout).toContain('1.75');
});

test('A reader that goes away ends the iteration, and is no failure', async () => {
  const server = createServer((socket: Socket) => void socket.once('data', () => socket.destroy())).listen();
  await once(server, 'listening');
  const stdout = connect((server.address() as AddressInfo).port);
  await once(stdout, 'connect');
  let isCancelled = false;
  async function* endless(): AsyncGenerator<{ id: string }, void, void> {
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- the socket reports its end meanwhile
        await setImmediate();
        yield { id: 'x'.repeat(100_000) };
      }
    } finally {
      isCancelled = true;
    }
  }
  const target = { stdout, stderr: new PassThrough(), env: {} };
  const { records } = await writeRecords(target, {}, personKind, endless());
  expect(records).toBeGreaterThan(0);
  expect(isCancelled).toBe(true);
  // A later write to the same stream must not end the process either.
  await writeRecords(target, {}, absenceKind, [absence.build()]);
  server.close();
});

test('It reads no further than the reader of standard output, and stops when it is aborted', async () => {
  let read = 0;
  function* endless(): Generator<{ id: string }, void, void> {
    for (;;) {
      read++;
      yield { id: 'x'.repeat(100_000) };
    }
  }
  const abort = new AbortController();
  const target = { stdout: new PassThrough(), stderr: new PassThrough(), env: {}, signal: abort.signal };
  const writing = writeRecords(target, {}, personKind, endless());
  await once(target.stdout, 'readable');
  for (let turn = 0; turn < 100; turn++) await setImmediate(); // oxlint-disable-line no-await-in-loop
  expect(read).toBeLessThan(5);
  abort.abort();
  await expect(writing).rejects.toThrow(new CliError('Interrupted.', exitCodes.interrupted));
  const later = writeRecords(target, { out: join(tmpdir(), 'hr-interrupted.csv') }, personKind, endless());
  await expect(later).rejects.toThrow('Interrupted.');
});

test('JSON and CSV on a terminal have no characters that control it', async () => {
  const absences = [{ ...absence.build(), key: 'a\u009B31m\u202Eb\u{E0041}' }];
  const json = await written({ json: true }, absenceKind, absences, { columns: 80 });
  expect(json.stdout).not.toMatch(/[\u009B\u202E\u{E0041}]/u);
  expect(JSON.parse(json.stdout)).toEqual(absences);
  const csv = await written({ output: 'csv', fields: ['key'] }, absenceKind, absences, { columns: 80 });
  expect(csv.stdout).toBe('key\r\na31mb\r\n');
  expect((await written({ output: 'csv', fields: ['key'] }, absenceKind, absences)).stdout).toContain('\u202E');
});

const employments = [
  { payrollContractId: '1-1', start: '2026-01-01', workingHours: { weekly: 40 } },
  { payrollContractId: '1-2', start: '2026-07-01' },
];
const people = [
  { id: '1', lastName: 'Ek', groups: [{ id: 'g' }], employments },
  { id: '2', lastName: 'Roth', employments: [] },
  { id: '3', lastName: 'Horn' },
];
const rowsOf = async (flags: OutputFlags): Promise<string[]> =>
  (await written({ output: 'csv', ...flags }, personKind, people)).stdout.trimEnd().split('\r\n');

test('--rows writes a row for each element of a list, with whose it is', async () => {
  const [header, ...rows] = await rowsOf({ rows: 'employments' });
  expect(header).toMatch(/^id,employeeNumber,lastName,firstName,employments\.payrollContractId,employments\.person/);
  expect(rows).toEqual(['1,,Ek,,1-1,,,,2026-01-01,,,,40,,', '1,,Ek,,1-2,,,,2026-07-01,,,,,,']);
  expect(await rowsOf({ rows: 'employments', fields: ['employments.start', 'groups'] })).toEqual([
    'employments.start,groups',
    '2026-01-01,"[{""id"":""g""}]"',
    '2026-07-01,"[{""id"":""g""}]"',
  ]);
  const { stdout, records } = await written(
    { rows: 'employments', fields: ['id', 'employments.start'] },
    personKind,
    people,
  );
  expect(records).toBe(2);
  expect(stdout).toBe(
    '{"id":"1","employments":{"start":"2026-01-01"}}\n{"id":"1","employments":{"start":"2026-07-01"}}\n',
  );
});

test('--fields with fields of a list writes a row for each element, and keeps records without any', async () => {
  expect(await rowsOf({ fields: ['id', 'employments.start'] })).toEqual([
    'id,employments.start',
    '1,2026-01-01',
    '1,2026-07-01',
    '2,',
    '3,',
  ]);
  const fields = ['employments.start', 'employments.workingHours.weekly', 'lastName'];
  expect((await written({ fields }, personKind, people)).stdout.split('\n')[0]).toBe(
    JSON.stringify({
      employments: [{ start: '2026-01-01', workingHours: { weekly: 40 } }, { start: '2026-07-01' }],
      lastName: 'Ek',
    }),
  );
});

test('Components of salaries, days and bookings are rows too', async () => {
  const values = [{ compensationComponentId: 'B', value: 1.5 }, { compensationComponentId: 'C' }];
  const salary = { payrollContractId: '1-1', year: 2026, month: 1, totalSalary: 2, values };
  expect((await written({ output: 'csv', rows: 'values' }, salaryKind, [salary])).stdout).toBe(
    'payrollContractId,year,month,values.compensationComponentId,values.value\r\n1-1,2026,1,B,1.5\r\n1-1,2026,1,C,\r\n',
  );
  const bookings = [{ time: '2026-01-31T08:00', key: '1' }];
  const days = [{ personId: '1', days: [{ date: '2026-01-31', bookedTime: 1.3, bookings }, { date: '2026-02-01' }] }];
  expect((await written({ rows: 'days', fields: ['date', 'bookedTime'] }, bookingKind, days)).stdout).toBe(
    '{"date":"2026-01-31","bookedTime":1.3}\n{"date":"2026-02-01"}\n',
  );
  expect((await written({ output: 'csv', rows: 'bookings' }, bookingKind, days)).stdout).toBe(
    'personId,date,bookings.time,bookings.key\r\n1,2026-01-31,2026-01-31T08:00,1\r\n',
  );
});

test('Labels have columns beside those of keys', async () => {
  const names = { en: '', de: '', color: '' };
  const labels: Label[] = [
    { ...names, kind: 'bookingKey', key: '051', en: 'Leave', de: 'Urlaub' },
    { ...names, kind: 'bookingKey', key: '53', color: '#3b6fb5' },
    { ...names, kind: 'group', key: 'g', de: 'Vertrieb' },
    { ...names, kind: 'compensationComponent', key: 'B', en: 'Bonus, annual', de: 'Bonus' },
    { ...names, kind: 'personGroup', key: '051', en: 'Staff' },
    { ...names, kind: 'legalEntity', key: '051', en: 'Example GmbH' },
    { ...names, kind: 'exitReason', key: '53', en: 'Notice' },
  ];
  const labelled = async (
    kind: RecordKind<never>,
    elements: object[],
    flags: OutputFlags,
    env?: NodeJS.ProcessEnv,
  ): Promise<string> =>
    (await written({ output: 'csv', ...flags }, kind, elements as never[], { labels, ...(env && { env }) })).stdout;
  const absences = [{ key: '051' }, { key: '53' }, {}];
  const keys = { fields: ['key'] };
  expect(await labelled(absenceKind, absences, keys)).toBe('key,keyLabel\r\n051,Leave\r\n53,\r\n,\r\n');
  expect(await labelled(absenceKind, absences, keys, { LANG: 'de_DE.UTF-8' })).toContain('051,Urlaub');
  expect(await labelled(absenceKind, absences, keys, { LANG: 'den_CA', LC_ALL: '' })).toContain('051,Leave');
  expect(await labelled(absenceKind, absences, { ...keys, excel: 'de' })).toContain('"=""051""";Urlaub');
  expect(await labelled(personKind, people, { fields: ['id', 'groups'] })).toBe(
    'id,groups,groupsLabel\r\n1,"[{""id"":""g""}]",Vertrieb\r\n2,,\r\n3,,\r\n',
  );
  expect(await labelled(personKind, people, { rows: 'groups', fields: ['groups.id'] })).toBe(
    'groups.id,groups.idLabel\r\ng,Vertrieb\r\n',
  );
  const leaver = { legalEntity: { id: '051' }, exitReasonId: '53', employments: [{ personGroupCode: '051' }] };
  const ofPerson = ['legalEntity', 'exitReasonId', 'employments.personGroupCode'];
  expect((await labelled(personKind, [leaver], { fields: ofPerson })).split('\r\n')[1]).toBe(
    '051,Example GmbH,53,Notice,051,Staff',
  );
  const salary = { values: [{ compensationComponentId: 'B', value: 1 }] };
  const fields = ['values.compensationComponentId'];
  expect(await labelled(salaryKind, [salary], { fields })).toBe(
    'values.compensationComponentId,values.compensationComponentIdLabel\r\nB,"Bonus, annual"\r\n',
  );
  await expect(labelled(absenceKind, absences, { output: 'json' })).rejects.toThrow('--labels adds columns');
});
