import { sendCaseRequest } from '@hr/testing/conform';
import { scenarioOf } from '@hr/testing/states';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyRequest } from './behaviour/any-requests.ts';
import { anyStates } from './behaviour/any-states.ts';
import { startFake, startService, type HrCloud } from './behaviour/hr-clouds.ts';

const RUNS = 40 * testScale;
const MAX_REQUESTS = 12;

let service: HrCloud;
let fake: HrCloud;
beforeAll(async () => {
  [service, fake] = await Promise.all([startService('postgres'), startFake()]);
});
afterAll(async () => {
  await Promise.all([service.stop(), fake.stop()]);
});

test('in any state and for any request, the fake responds as the service does', async () => {
  const requests = fc.array(anyRequest, { minLength: 1, maxLength: MAX_REQUESTS });
  const property = fc.asyncProperty(anyStates, requests, async (states, sent) => {
    const scenario = scenarioOf(states);
    await Promise.all([service.load(scenario), fake.load(scenario)]);
    for (const request of sent) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const [right, response] = await Promise.all([service, fake].map((cloud) => sendCaseRequest(cloud, request)));
      expect(response).toEqual(right);
    }
  });
  await fc.assert(property, { numRuns: RUNS });
});
