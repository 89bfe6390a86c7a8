import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { operations } from '@hr/schemas';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes, operatorOperations, operatorRoutes } from '../src/routes.ts';
import { anyDriver } from './drivers.ts';
import { canaryFeed, contractIds, personIds } from './fuzz/canaries.ts';
import { rawLane, requestLane, type Target } from './fuzz/lane.ts';
import { watchLog } from './fuzz/log-watch.ts';
import { makeSecrets, placeholders } from './fuzz/secrets.ts';
import { load, startService, type TestService } from './service.ts';

/** How many inputs are made up in all. */
const RUNS = 3000 * testScale;
/** The same seed makes the same inputs: a failure tells it, and `HR_FUZZ_SEED` sets it. */
const SEED = Number(process.env['HR_FUZZ_SEED'] ?? randomInt(2 ** 31 - 1));

/** What is asked at the same time, each on a connection of its own. */
const lanes = [rawLane, ...Array.from({ length: 7 }, () => requestLane)];
const RUNS_A_LANE = Math.ceil(RUNS / anyDriver.length / lanes.length);
const LONGEST_MS = 120_000 + RUNS * 30;
const MOST_GROWTH_BYTES = 96 * 1024 * 1024;

const operationOf: Readonly<Record<string, { readonly list: boolean }>> = { ...operations, ...operatorOperations };

const statuses = new Map<string, Set<number>>();
let answers = 0;

describe.each(anyDriver)('requests made up at random, on %s', (driver) => {
  let target: Target;
  let failed = false;

  beforeAll(async () => {
    const service = await startService(driver);
    await load(service.database, canaryFeed);
    const secrets = await makeSecrets(service);
    await service.database.query(
      `insert into webhook_endpoint (id, client_id, url, secret, snapshot, latest, digest)
      select n::text, $1, 'https://localhost/', 'whsec_AAAA', pg_current_snapshot(), 0, '' from generate_series(1, 12) as n`,
      [secrets.fill(placeholders.clientId)],
    );
    target = {
      service,
      secrets,
      log: watchLog(service.log, secrets),
      isOver: () => failed,
      onAnswer(route = '', status) {
        answers++;
        statuses.set(route, (statuses.get(route) ?? new Set()).add(status));
      },
    };
  });
  afterAll(() => target.service.stop());

  test(
    `are answered as they deserve, with HR_FUZZ_SEED=${SEED}`,
    async () => {
      const before = heapBytes();
      const run = async (lane: typeof requestLane, index: number): Promise<void> => {
        const { property, close } = lane(target);
        try {
          await fc.assert(property, { seed: SEED + index, numRuns: RUNS_A_LANE });
        } catch (error) {
          failed = true;
          throw error;
        } finally {
          close();
        }
      };
      await Promise.all(lanes.map(run));
      expect(target.log.otherFaults()).toEqual([]);
      expect((await target.service.send('GET', '/readyz')).status).toBe(200);
      await expectReadableLists(target.service);
      expect(heapBytes() - before).toBeLessThan(MOST_GROWTH_BYTES);
    },
    LONGEST_MS,
  );
});

test.runIf(testScale >= 1)('requests made up at random reach every route, and most kinds of errors', () => {
  expect(answers).toBeGreaterThan(RUNS / 2);
  const seen = new Set([...statuses.values()].flatMap((each) => [...each]));
  const missed = [
    ...[...apiRoutes, ...operatorRoutes].map(({ id }) => id).filter((id) => !statuses.get(id)?.has(200)),
    ...[200, 400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 431].filter((status) => !seen.has(status)),
  ];
  // Of few requests, one or two kinds may be missing by chance.
  expect(missed.length, `missing: ${missed.join(', ')}`).toBeLessThanOrEqual(testScale > 1 ? 0 : 2);
});

/** Whatever was stored, each list can be read to its end. */
async function expectReadableLists(service: TestService): Promise<void> {
  for (const { id, path, scopes } of [...apiRoutes, ...operatorRoutes]) {
    if (!operationOf[id]?.list || path.includes('{endpointId}')) continue;
    const scope = scopes.includes('api:use') ? 'api:use' : 'operator';
    for (const subject of path.includes('{contractId}') ? contractIds : personIds) {
      const address = path.replace(/\{\w+\}/, encodeURIComponent(subject));
      // oxlint-disable-next-line no-await-in-loop -- a client may read ten at a time
      const { status, body } = await service.send('GET', address, { scope });
      expect([address, status, Array.isArray(body)]).toEqual([address, 200, true]);
    }
  }
}

/** What is in use on the heap, after everything that can be freed was freed. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
