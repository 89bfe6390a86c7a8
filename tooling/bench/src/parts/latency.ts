import { alternate } from '../alternate.ts';
import { amount, quantile } from '../figures.ts';
import type { Row } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Company, Size } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, startService, stop } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';

/** The latency of short reads while four readers read full lists of persons. */
export async function latencyDuringLists({ url, token, paths }: Company, { turns, roundMs }: Size): Promise<Row> {
  await using service = await startService(url);
  const caller = { origin: service.ready, token };
  const next = inTurn(paths.absences);
  async function percentile99(): Promise<number> {
    const times: number[] = [];
    const start = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one reader
    while (performance.now() - start < 2 * roundMs) times.push(await timeToLastByte(caller, next()));
    return quantile(times, 0.99);
  }
  // These have a process of their own, so that they do not delay the measurement.
  await using lists = await startProgram('list-readers', [service.ready, token, '/api/v1/persons']);
  const { values } = await alternate({ values: percentile99 }, turns);
  await stop(lists.child);
  return amount({ measure: 'p99 of absences during four full lists', unit: 'ms', goal: '≤ 50' }, values);
}

/** The latency of other requests. */
export const latency: Part = {
  name: 'latency',
  histories: true,
  async run(bench) {
    return [await latencyDuringLists(bench, bench)];
  },
};
