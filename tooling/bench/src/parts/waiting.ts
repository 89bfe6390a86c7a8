import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { amount, quantile } from '../figures.ts';
import { inTurn, newToken, type Bench } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { memoryOf, startProgram, startService, type Running } from '../processes.ts';
import { statusAndTime } from '../requests.ts';
import type { Arrivals } from '../servers/waiters.ts';

const WAITERS = 1000;
const MANY_WAITERS = 10_000;
/** A client may have twice as many requests in flight. */
const WAITERS_OF_CLIENT = 100;
const OTHERS = 10;
/** From a program that has sent its waits until they wait. */
const SETTLE_MS = 1000;

type Waiters = Running<Arrivals>;

async function startWaiters({ database }: Bench, origin: string, count: number): Promise<Waiters> {
  const clients = { length: Math.ceil(count / WAITERS_OF_CLIENT) };
  const tokens = await Array.fromAsync(clients, () => newToken(database, 'api:use'));
  return startProgram<Arrivals>('waiters', [origin, String(count), ...tokens]);
}

/** Makes a change, and gives how long after it began each wait was answered. */
async function timesOfChange({ token }: Bench, origin: string, waiters: readonly Waiters[]): Promise<number[]> {
  await setTimeout(SETTLE_MS);
  const answered = waiters.map(async ({ child, ended }) => {
    const [arrivals] = (await Promise.race([once(child, 'message'), ended])) as [Arrivals];
    return arrivals;
  });
  const begun = performance.timeOrigin + performance.now();
  const body = JSON.stringify({ addresses: [{ city: String(begun) }] });
  await statusAndTime({ origin, token }, { path: '/api/v1/persons/100001', method: 'PATCH', body });
  const arrivals = await Promise.all(answered);
  return arrivals.flat().map((arrival) => arrival - begun);
}

/** Requests that wait for changes. */
export const waiting: Part = {
  name: 'waiting',
  histories: true,
  async run(bench) {
    const { url, turns, roundMs, warmUps, database, paths } = bench;
    // One process of waiters uses more connections than a network may have otherwise.
    const trusting = { HR_TRUSTED_PROXY: '127.0.0.1' };
    const percentiles: number[] = [];
    {
      await using one = await startService(url, trusting);
      await using other = await startService(url, trusting);
      await using waitersOfOne = await startWaiters(bench, one.ready, WAITERS / 2);
      await using waitersOfOther = await startWaiters(bench, other.ready, WAITERS / 2);
      for (let turn = -warmUps; turn < 2 * turns; turn++) {
        // oxlint-disable-next-line no-await-in-loop -- one change after the other
        const times = await timesOfChange(bench, one.ready, [waitersOfOne, waitersOfOther]);
        if (turn >= 0) percentiles.push(quantile(times, 0.99));
      }
    }
    await using service = await startService(url, trusting);
    const absences = inTurn(paths.absences);
    const tokens = await Array.fromAsync({ length: OTHERS }, () => newToken(database, 'api:use'));
    const others = async (untilAborted: AbortSignal): Promise<number[]> => {
      const times: number[] = [];
      const callers = tokens.map(async (token) => {
        while (!untilAborted.aborted) {
          // oxlint-disable-next-line no-await-in-loop -- one request after the other
          times.push((await statusAndTime({ origin: service.ready, token }, { path: absences() })).ms);
          // oxlint-disable-next-line no-await-in-loop
          await setTimeout(10);
        }
      });
      await Promise.all(callers);
      return times;
    };
    await others(AbortSignal.timeout(2 * roundMs));
    const idle = await memoryOf(service.child);
    await using waiters = await startWaiters(bench, service.ready, MANY_WAITERS);
    await setTimeout(SETTLE_MS);
    const memory = (await memoryOf(service.child)) - idle;
    const ended = new AbortController();
    const beside = others(ended.signal);
    const slowest: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      slowest.push(Math.max(...(await timesOfChange(bench, service.ready, [waiters]))) / 1000);
    }
    ended.abort();
    return [
      amount(
        {
          measure: `p99 of the time from a change to ${WAITERS} waits at two processes`,
          unit: 'ms',
          goal: '≤ 100',
        },
        percentiles,
      ),
      amount(
        {
          measure: `memory of ${MANY_WAITERS} waits above idle`,
          unit: 'MB',
          goal: '≤ 250',
          missedBecause:
            'A connection and a request of a bare Fastify take 17 kB of the 27 kB of a wait. V8 would keep 14 kB of them if it collected all garbage, which it does not do without need.',
        },
        [memory],
      ),
      amount({ measure: `time from a change to all of ${MANY_WAITERS} waits`, unit: 's', goal: '≤ 5' }, slowest),
      amount(
        {
          measure: `p99 of ${OTHERS} others while a change a second answers ${MANY_WAITERS} waits`,
          unit: 'ms',
          goal: '≤ 50',
        },
        [quantile(await beside, 0.99)],
      ),
    ];
  },
};
