import { isDeepStrictEqual } from 'node:util';
import { scenarioOf } from '@hr/testing/states';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, type Ask, type Told } from './behaviour/ask.ts';
import type { Case, Cases } from './behaviour/case.ts';
import { errorCases } from './behaviour/error-cases.ts';
import { historyCases } from './behaviour/history-cases.ts';
import { startHrClouds, type HrCloud } from './behaviour/hr-clouds.ts';
import { patchCases } from './behaviour/patch-cases.ts';
import { paymentCases } from './behaviour/payment-cases.ts';
import { personCases } from './behaviour/person-cases.ts';
import { absenceCases, bookingCases } from './behaviour/time-cases.ts';
import { tokenCases } from './behaviour/token-cases.ts';

const topics: Readonly<Record<string, Cases>> = {
  'persons ': personCases,
  'a change ': patchCases,
  'payments ': paymentCases,
  'the salary history ': historyCases,
  'time bookings ': bookingCases,
  'absences ': absenceCases,
  'what is refused: ': errorCases,
  'a token ': tokenCases,
};

let clouds: readonly HrCloud[];
beforeAll(async () => {
  clouds = await startHrClouds();
});
afterAll(async () => {
  await Promise.all(clouds.map((cloud) => cloud.stop()));
});

async function answers(cloud: HrCloud, asks: Case['asks']): Promise<Told[]> {
  const told: Told[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const asked of asks) told.push(await ask(cloud, asked));
  return told;
}

const isRead = (asked: Ask): boolean => (typeof asked === 'string' ? asked : asked[0]).startsWith('GET ');

/** The states that every cloud holds; `undefined` once a request may have changed them. */
let held: Case['given'];

// Whatever HR cloud answers it: the service on each database, and the fake in whole as the service.
describe.each(Object.entries(topics))('%s', (_topic, cases) => {
  test.each(Object.entries(cases))('%s', async (_, { given = [], asks, told: expected }) => {
    if (!isDeepStrictEqual(held, given)) await Promise.all(clouds.map((cloud) => cloud.load(scenarioOf(given))));
    held = undefined;
    const [oracle, ...others] = await Promise.all(
      clouds.map(async (cloud) => ({ name: cloud.name, told: await answers(cloud, asks) })),
    );
    if (asks.every((asked, index) => isRead(asked) || (oracle?.told[index]?.status ?? 0) >= 400)) held = given;
    expect(oracle?.told.at(-1)).toEqual(expect.objectContaining(expected));
    for (const { name, told } of others) expect({ name, told }).toEqual({ name, told: oracle?.told });
  });
});
