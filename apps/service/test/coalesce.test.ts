import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coalesce } from '../src/database/coalesce.ts';

const turns = async (count: number): Promise<void> => {
  // oxlint-disable-next-line no-await-in-loop -- each is a turn of the microtask queue
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

test('one run at a time, and one that begins after each call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5), fc.array(fc.nat(8), { minLength: 1 }), async (duration, pauses) => {
      let [calls, running, seen] = [0, 0, 0];
      const run = coalesce(async () => {
        expect(++running).toBe(1);
        seen = calls;
        await turns(duration);
        running--;
      });
      for (const pause of pauses) {
        calls++;
        const call = calls;
        void run().then(() => expect(seen).toBeGreaterThanOrEqual(call));
        // oxlint-disable-next-line no-await-in-loop -- one call after the other
        await turns(pause);
      }
      await run();
      expect([seen, running]).toEqual([calls, 0]);
    }),
  );
});

test('calls during a run lead to one more', async () => {
  let runs = 0;
  const run = coalesce(async () => {
    runs++;
    await turns(1);
  });
  await Promise.all([run(), run(), run()]);
  expect(runs).toBe(2);
  await run();
  expect(runs).toBe(3);
});
