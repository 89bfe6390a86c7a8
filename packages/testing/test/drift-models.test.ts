import { expect, test } from 'vitest';
import { fixtures } from '../src/fixtures/index.ts';
import { checkDrift } from '../src/provider/index.ts';
import { jsonFile, pactOf } from './pact-file.ts';

const { absence, person, salaryHistoryEntry, timeBookingPerson, variablePayment } = fixtures({ seed: 3 });
const contract = '/api/v1/payrollContract/1-77';

const lists = [
  { path: '/api/v1/persons', builder: person },
  { path: '/api/v1/persons/4711/absences', builder: absence },
  { path: '/api/v1/time-bookings', builder: timeBookingPerson },
  { path: `${contract}/salaries/history`, builder: salaryHistoryEntry },
  { path: `${contract}/variable-payments`, builder: variablePayment },
];

/** The interactions with a fault, of a contract that has one for each element. */
async function faultyOf(path: string, elements: readonly (readonly [description: string, element: unknown])[]) {
  const interactions = elements.map(([description, element]) => ({ description, path, response: [element] }));
  const { faults } = await checkDrift({ pacts: [await jsonFile(pactOf('payroll-batch', interactions))] });
  return new Set(faults.map(({ description }) => description));
}

test.each(lists)('whatever is valid at $path is no fault', async ({ path, builder }) => {
  const valid = builder.list(50).map((element, index) => [`element ${index}`, element] as const);
  await expect(faultyOf(path, valid)).resolves.toEqual(new Set());
});

test.each(lists)('each way to be invalid at $path is a fault', async ({ path, builder }) => {
  // What is missing is not used.
  const variants = builder.invalid().filter(({ code }) => code !== 'required');
  const invalid = variants.map(({ pointer, rule, value }) => [`${pointer} ${rule}`, value] as const);
  expect(invalid.length).toBeGreaterThan(5);
  await expect(faultyOf(path, invalid)).resolves.toEqual(new Set(invalid.map(([description]) => description)));
});
