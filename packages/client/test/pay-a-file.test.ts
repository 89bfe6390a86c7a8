import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientCredentials } from '@hr/auth';
import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHrClient } from '../src/index.ts';
import type { HrClient } from '../src/index.ts';

interface Line {
  readonly id: string;
  readonly contractId: string;
  readonly payment: object;
}

// The recipe as the README shows it, where its imports find the package.
const reports = join(import.meta.dirname, '../reports');
await mkdir(reports, { recursive: true });
const folder = await mkdtemp(join(reports, 'pay-a-file-'));
const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
const recipe = /^`pay-file\.ts`\n\n```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
await writeFile(join(folder, 'pay-file.ts'), recipe);
const { payFile } = (await import(join(folder, 'pay-file.ts'))) as {
  payFile: (hr: HrClient, lines: readonly Line[], journal: string) => Promise<void>;
};

const fake = await startFakeHrCloud();
const auth = clientCredentials({ baseUrl: fake.url, clientId: fake.clientId, clientSecret: fake.clientSecret });
const options = { baseUrl: fake.url, auth, idempotency: 'provider-supports', retry: { limit: 0 } } as const;
const hr = createHrClient(options);
const payment = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 1 };
const lines: readonly Line[] = ['1-1', '1-2', '1-3'].map((contractId) => ({ id: contractId, contractId, payment }));

let journal: string;
let printed: string[];
let count = 0;

beforeEach(() => {
  fake.reset();
  const { id: personId } = fake.persons.add({ lastName: 'Ek' });
  for (const { id } of lines) fake.contracts.add({ payrollContractId: id, personId, start: '2026-01-01' });
  journal = join(folder, `journal-${++count}.json`);
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => printed.push(text));
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await fake.stop();
  await rm(folder, { recursive: true });
});

const paid = () => fake.payments.list().map(({ payrollContractId }) => payrollContractId);
const states = async () =>
  Object.values(JSON.parse(await readFile(journal, 'utf8')) as object).map(({ state }) => state);

test('each line is paid once, however often the program runs', async () => {
  await payFile(hr, lines, journal);
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-1', '1-2', '1-3']);
  expect(printed).toEqual([]);
});

test.each(['lost-answer', 'lost-request', 503] as const)('after %s the same key is sent again', async (failure) => {
  fake.failNext('submitVariablePayment', failure);
  await payFile(hr, lines.slice(0, 1), journal);
  expect(await states()).toEqual(['sent']);
  expect(printed).toEqual([expect.stringContaining('Send it again with the same key within 24 hours')]);
  await payFile(hr, lines.slice(0, 1), journal);
  expect(paid()).toEqual(['1-1']);
});

test('after a crash between sending and storing, the payment is not paid again', async () => {
  await hr.payroll.submitVariablePayment('1-1', { ...payment, idempotencyKey: 'key-1' });
  await writeFile(journal, JSON.stringify({ '1-1': { key: 'key-1', sentAt: Date.now(), state: 'sent' } }));
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-1', '1-2', '1-3']);
});

test('a key that the service may have forgotten is not sent again', async () => {
  const sentAt = Date.now() - 24 * 3_600_000;
  await writeFile(journal, JSON.stringify({ '1-1': { key: 'key-1', sentAt, state: 'sent' } }));
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-2', '1-3']);
  expect(printed).toEqual(['1-1: It may have been taken. Ask the payroll administrator.']);
});

test.each([401, 403, 429] as const)('%s ends the run, and the next run pays the rest', async (status) => {
  // The client sends a request again whose token is rejected.
  fake.failNext('submitVariablePayment', status, status === 401 ? 2 : 1);
  await payFile(hr, lines, journal);
  expect(paid()).toEqual([]);
  expect(await states()).toEqual(['not-taken']);
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-1', '1-2', '1-3']);
});

test('a line is paid once it is corrected, and does not hold up the others', async () => {
  const wrong = lines.map((line, index) => (index === 1 ? { ...line, contractId: 'nobody' } : line));
  await payFile(hr, wrong, journal);
  expect(paid()).toEqual(['1-1', '1-3']);
  expect(printed).toEqual([expect.stringMatching(/^1-2: .*404.* It had no effect\.$/)]);
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-1', '1-3', '1-2']);
});

test('a payment whose outcome is unknown stays so when its repetition is rejected', async () => {
  fake.failNext('submitVariablePayment', 'lost-answer');
  fake.failNext('submitVariablePayment', 403);
  await payFile(hr, lines.slice(0, 1), journal);
  await payFile(hr, lines.slice(0, 1), journal);
  expect(await states()).toEqual(['sent']);
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-1', '1-2', '1-3']);
});

test('without a connection the run ends', async () => {
  const gone = createHrClient({ ...options, fetch: () => Promise.reject(new TypeError('fetch failed')) });
  await payFile(gone, lines, journal);
  expect(printed).toHaveLength(1);
  await payFile(hr, lines, journal);
  expect(paid()).toEqual(['1-1', '1-2', '1-3']);
});
