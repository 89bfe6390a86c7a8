import { scenarioOf } from '@hr/testing/states';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyAsk } from './behaviour/any-asks.ts';
import { anyStates } from './behaviour/any-states.ts';
import { ask } from './behaviour/ask.ts';
import { startFake, startService, type HrCloud } from './behaviour/hr-clouds.ts';

const RUNS = 40 * testScale;
const MOST_REQUESTS = 12;

let service: HrCloud;
let fake: HrCloud;
beforeAll(async () => {
  [service, fake] = await Promise.all([startService('postgres'), startFake()]);
});
afterAll(async () => {
  await Promise.all([service.stop(), fake.stop()]);
});

test('whatever there is and whatever is asked, the fake answers as the service does', async () => {
  const asks = fc.array(anyAsk, { minLength: 1, maxLength: MOST_REQUESTS });
  const property = fc.asyncProperty(anyStates, asks, async (states, asked) => {
    const scenario = scenarioOf(states);
    await Promise.all([service.load(scenario), fake.load(scenario)]);
    for (const one of asked) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const [right, told] = await Promise.all([ask(service, one), ask(fake, one)]);
      expect(told).toEqual(right);
    }
  });
  await fc.assert(property, { numRuns: RUNS });
});
