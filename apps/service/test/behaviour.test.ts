import { isDeepStrictEqual } from 'node:util';
import { scenarioOf } from '@hr/testing/states';
import type { ProviderState } from '@hr/testing/states';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './behaviour/ask.ts';
import type { Ask, Told } from './behaviour/ask.ts';
import type { Case, Cases } from './behaviour/case.ts';
import { errorCases } from './behaviour/error-cases.ts';
import { historyCases } from './behaviour/history-cases.ts';
import { startHrClouds } from './behaviour/hr-clouds.ts';
import type { HrCloud } from './behaviour/hr-clouds.ts';
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

test('a token that was given is taken, and not by an operation of another scope', async () => {
  const clients = [
    { clientId: 'a', clientSecret: 'a-secret', scope: 'api:use' },
    { clientId: 'b', clientSecret: 'b-secret', scope: 'operator' },
  ];
  const scenario = scenarioOf([
    ['a person', { id: '4711' }],
    ...clients.map((one): ProviderState => ['an API client', one]),
  ]);
  const statuses = clouds.map(async ({ url, load }) => {
    await load(scenario);
    return Promise.all(
      clients.map(async ({ clientId: client_id, clientSecret: client_secret, scope }) => {
        const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
        const given = await fetch(`${url}/api/oauth2/token`, { method: 'POST', body });
        const { access_token: token } = (await given.json()) as { access_token: string };
        const { status } = await fetch(`${url}/api/v1/persons`, { headers: { authorization: `Bearer ${token}` } });
        return status;
      }),
    );
  });
  expect(await Promise.all(statuses)).toEqual(clouds.map(() => [200, 403]));
});
