import { isDeepStrictEqual } from 'node:util';
import {
  behaviourCases,
  differencesOf,
  sendCaseRequest,
  type BehaviourCase,
  type CaseRequest,
  type CaseResponse,
} from '@hr/testing/conform';
import { scenarioOf } from '@hr/testing/states';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHrClouds, type HrCloud } from './behaviour/hr-clouds.ts';

let clouds: readonly HrCloud[];
beforeAll(async () => {
  clouds = await startHrClouds();
});
afterAll(async () => {
  await Promise.all(clouds.map((cloud) => cloud.stop()));
});

async function send(cloud: HrCloud, requests: BehaviourCase['requests']): Promise<CaseResponse[]> {
  const responses: CaseResponse[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const request of requests) responses.push(await sendCaseRequest(cloud, request));
  return responses;
}

const isRead = (request: CaseRequest): boolean =>
  (typeof request === 'string' ? request : request[0]).startsWith('GET ');
const safe = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The states that every cloud holds; `undefined` once a request may have changed them. */
let held: BehaviourCase['given'] | undefined;

// The service on each database, and the fake, which responds exactly as the service does.
describe.each([...Map.groupBy(behaviourCases, ({ section }) => section)])('section %s', (_section, cases) => {
  test.each(cases.map((each) => [each.title, each] as const))('%s', async (_title, { given, requests, expected }) => {
    if (!isDeepStrictEqual(held, given)) await Promise.all(clouds.map((cloud) => cloud.load(scenarioOf(given))));
    held = undefined;
    const [oracle, ...others] = await Promise.all(
      clouds.map(async (cloud) => ({ name: cloud.name, responses: await send(cloud, requests) })),
    );
    const responses = oracle?.responses ?? [];
    if (requests.every((request, index) => isRead(request) || (responses[index]?.status ?? 0) >= 400)) held = given;
    const last = { ...responses.at(-1) };
    const parts = Object.keys(expected) as (keyof typeof expected)[];
    expect(parts.flatMap((part) => differencesOf(expected[part], last[part], true, part))).toEqual([]);
    expect(last.headers).toMatchObject(safe);
    for (const { name, responses: theirs } of others) expect({ name, responses: theirs }).toEqual({ name, responses });
  });
});
