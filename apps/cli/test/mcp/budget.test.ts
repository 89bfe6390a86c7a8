import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, onTestFinished, test } from 'vitest';
import { modelText, tokensOf } from '../../src/mcp/fitted.ts';
import { compareKeys, pageOf } from '../../src/mcp/pages.ts';
import type { ToolCall } from '../../src/mcp/tool.ts';
import { openSession, startCompany } from './session.ts';

const MIN_TOKENS = 1000;
const HIDDEN = '\u{E0041}\u202E\u200B';

/** Whether a value is another one, or a beginning of it: of its texts, lists and fields. */
function isCutOf(cut: unknown, whole: unknown): boolean {
  if (typeof cut === 'string' && cut.endsWith('…')) return String(whole).startsWith(cut.slice(0, -1)) || cut === whole;
  if (typeof cut === 'string') return cut === whole || /^… \d+ more$/.test(cut);
  if (typeof cut !== 'object' || cut === null) return Object.is(cut, whole);
  return Object.entries(cut).every(([name, field]) => isCutOf(field, (whole as Record<string, unknown>)[name]));
}

/** What the model reads of a value. */
const asRead = <Value>(value: Value) => JSON.parse(modelText(value)) as Value;

const longText = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3000 }).map((times) => 'Ünlang 7'.repeat(times)) },
);
// Names of fields are those of models.
const fieldName = fc.string({ maxLength: 15 });
const value = fc.oneof(
  longText,
  fc.double({ noNaN: true }),
  fc.array(longText, { maxLength: 9 }),
  fc.dictionary(fieldName, longText, { maxKeys: 3 }),
);
const fields = fc.dictionary(fieldName, value, { maxKeys: 5 });

test('whatever the rows and the limit of tokens, no page exceeds it, and all pages together are the list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        head: fields,
        rows: fc.array(fields, { maxLength: 40 }),
        keys: fc.constantFrom(undefined, 'long', 'short'),
        maxTokens: fc.oneof(fc.integer({ min: MIN_TOKENS, max: 3000 }), fc.integer({ min: MIN_TOKENS, max: 50_000 })),
        limit: fc.integer({ min: 1, max: 50 }),
        isStream: fc.boolean(),
      }),
      async ({ head, rows: contents, keys, maxTokens, limit, isStream }) => {
        const keyed = contents.map((row, index) => ({
          row,
          key: `${index}ü \0&${keys === 'long' ? 'k'.repeat(500) : ''}`,
        }));
        const rows = keys ? keyed.toSorted((one, other) => compareKeys(one.key, other.key)) : keyed;
        const whole = rows.map(({ row }) => asRead(row));
        const call = { maxTokens, note: () => undefined } as unknown as ToolCall;
        let read = 0;
        let cursor: string | undefined;
        do {
          // oxlint-disable-next-line no-await-in-loop -- a page needs the cursor of the one before
          const result = await pageOf(
            call,
            { cursor, limit },
            {
              head,
              name: 'rows',
              rows: isStream ? stream(rows) : rows,
              ...(keys && { keyOf: ({ key }: { readonly key: string }) => key }),
              view: ({ row }) => row,
            },
          );
          expect(tokensOf(modelText(result))).toBeLessThanOrEqual(maxTokens);
          const page = asRead(result) as { rows: object[]; nextCursor?: string; total: number };
          expect(page.total).toBe(rows.length);
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          expect(page.rows.length > 0 || rows.length === 0).toBe(true);
          // Only a row that needs a page of its own is cut.
          const [first, ...others] = page.rows;
          expect(isCutOf(first, whole[read])).toBe(true);
          expect(others).toEqual(whole.slice(read + 1, read + page.rows.length));
          read += page.rows.length;
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(read).toBe(rows.length);
      },
    ),
    { numRuns: Math.ceil(200 * testScale) },
  );
});

async function* stream<Row>(rows: readonly Row[]): AsyncGenerator<Row, void, undefined> {
  yield* rows;
}

test('no tool exceeds the limit of tokens, whatever the company has, and no error does', async () => {
  const company = await startCompany(0);
  onTestFinished(() => company[Symbol.asyncDispose]());
  const { fake } = company;
  const jobTitle = `${'人'.repeat(300)}${HIDDEN}`;
  for (let index = 0; index < 40; index++) {
    const groups = Array.from({ length: 15 }, (_, group) => ({
      id: `g${index}-${group}${'ü'.repeat(3 * group)}`,
      type: 'TEAM',
    }));
    const { id } = fake.persons.add({ firstName: `Ada${HIDDEN}`, lastName: 'Ö'.repeat(80), jobTitle, groups });
    for (const month of ['01', '02', '03']) fake.absences.add({ personId: id, startDate: `2026-${month}-01` });
    fake.timeDays.add({ personId: id, date: '2026-01-31', bookedTime: 7.3 });
  }
  const personId = fake.persons.add({
    customFields: Array.from({ length: 200 }, (_, index) => ({ name: `field${index}`, textValue: jobTitle })),
    employments: Array.from({ length: 400 }, (_, index) => ({ payrollContractId: `1-${index}` })),
  }).id;
  for (let day = 0; day < 300; day++) {
    const startDate = new Date(Date.UTC(2025, 1, 1 + day)).toISOString().slice(0, 10);
    fake.absences.add({ personId, startDate, endDate: startDate });
  }
  const bookings = Array.from({ length: 500 }, () => ({ time: '2026-01-31T08:00', key: 'in' }));
  fake.timeDays.add({ personId, date: '2026-01-31', bookings });
  const values = Array.from({ length: 300 }, (_, index) => ({ compensationComponentId: `${index}`, value: 1 }));
  const salaries = Array.from({ length: 12 }, (_, month) => ({ year: 2026, month: month + 1, totalSalary: 1, values }));
  const { payrollContractId: contractId } = fake.contracts.add({ personId, salaries });
  const payment = { payrollContractId: contractId, billingPeriod: '2026-12', compensationComponentId: 'ü'.repeat(200) };
  for (let amount = 1; amount <= 100; amount++) fake.payments.add({ ...payment, amount, state: 'approved' });

  const window = { from: '2025-01-01', to: '2026-12-31' };
  const lists: [name: string, args: Record<string, unknown>, list: string, length: number][] = [
    ['listPersons', {}, 'persons', 41],
    ['listPersons', { changedSince: '2020-01-01' }, 'persons', 41],
    ['listPersons', { groupBy: 'group' }, 'counts', 601],
    ['listGroups', {}, 'counts', 601],
    ['getPerson', { id: personId }, 'customFields', 200],
    ['listAbsences', window, 'absences', 420],
    ['listAbsences', { ...window, personId }, 'absences', 300],
    ['listAbsences', { ...window, groupBy: 'person' }, 'counts', 41],
    ['listAbsences', { ...window, groupBy: 'month' }, 'counts', 22],
    ['listTimeBookings', window, 'days', 41],
    ['sumTimeBookings', { ...window, groupBy: 'jobTitle' }, 'counts', 2],
    ['listSalaryHistory', { contractId }, 'salaries', 12],
    ['listVariablePayments', { contractId, billingPeriod: '2026-12' }, 'payments', 100],
  ];
  await using unlimited = await openSession(company, { maxTokens: Number.MAX_SAFE_INTEGER });
  const wholes = await Promise.all(
    lists.map(([name, args, list]) => unlimited.rows(name, { ...args, limit: 500 }, list)),
  );
  expect(wholes.map(({ length }) => length)).toEqual(lists.map(([, , , length]) => length));
  const names = new Set(lists.map(([name]) => name));
  const { tools } = await unlimited.client.listTools();
  expect([...names].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());

  for (const maxTokens of [MIN_TOKENS, 8000]) {
    // oxlint-disable no-await-in-loop -- one after the other shows which one fails
    await using session = await openSession(company, { maxTokens });
    for (const [index, [name, args, list]] of lists.entries()) {
      const rows = await session.rows(name, { ...args, limit: 500 }, list);
      expect(rows).toHaveLength(wholes[index]?.length ?? 0);
      for (const [at, row] of rows.entries()) expect(isCutOf(row, wholes[index]?.[at])).toBe(true);
    }
    const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
    await session.failure('listPersons', unknown);
    await session.failure('getPerson', { id: 'ü'.repeat(100_000) });
    await session.failure('listPersons', { group: HIDDEN.repeat(10_000) });
    await session.failure('listTimeBookings', { ...window, cursor: 'nonsense' });
    // oxlint-enable no-await-in-loop
    const sent = session.received.flatMap((message) => {
      const { result } = JSON.parse(message) as { result?: { content?: [{ text: string }] } };
      return result?.content ? [result.content[0].text] : [];
    });
    expect(Math.max(...sent.map(tokensOf))).toBeLessThanOrEqual(maxTokens);
    expect(sent.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}]/u);
    expect(sent.some((one) => one.includes('"leftOut":["The page ends early'))).toBe(true);
  }
});
