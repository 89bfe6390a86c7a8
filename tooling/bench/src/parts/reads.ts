import { alternate } from '../alternate.ts';
import { ratio } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, startService } from '../processes.ts';
import { requestRate } from '../requests.ts';

const CALLERS = 32;

/** Absences and salary histories. */
export const reads: Part = {
  name: 'reads',
  histories: true,
  async run({ url, token, paths, turns, roundMs, warmUps }) {
    await using service = await startService(url);
    await using bare = await startProgram<string>('bare-server', [url]);
    return await Array.fromAsync(Object.entries(paths), async ([name, list]) => {
      const nextPath = inTurn(list);
      const rate = (origin: string) => () =>
        requestRate({ origin, token, callers: CALLERS, next: () => ({ path: nextPath() }) }, roundMs);
      const rates = await alternate({ service: rate(service.ready), bare: rate(bare.ready) }, 2 * turns, warmUps);
      const measure = `requests per second, ${name}`;
      const against = 'node:http and pg with the same SQL';
      return ratio({ measure, against, goal: '≥ 0.85' }, rates.service, rates.bare);
    });
  },
};
