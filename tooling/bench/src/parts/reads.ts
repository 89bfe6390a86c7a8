import { alternate } from '../alternate.ts';
import { ratio } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, startService } from '../processes.ts';
import { requestRate } from '../requests.ts';
import { jwt } from './lists.ts';

const CALLERS = 32;

/** Absences and salary histories. */
export const reads: Part = {
  name: 'reads',
  histories: true,
  async run({ url, token, paths, turns, roundMs, warmUps }) {
    await using service = await startService(url);
    await using bare = await startProgram<string>('bare-server', [url]);
    await using other = await startProgram<string>('hand-written-server', [url]);
    const rows = await Array.fromAsync(Object.entries(paths), async ([name, list]) => {
      const nextPath = inTurn(list);
      const rate = (origin: string, bearer: string) => () =>
        requestRate({ origin, token: bearer, callers: CALLERS, next: () => ({ path: nextPath() }) }, roundMs);
      const rates = await alternate(
        {
          service: rate(service.ready, token),
          bare: rate(bare.ready, ''),
          handWritten: rate(other.ready, jwt()),
        },
        2 * turns,
        warmUps,
      );
      const measure = `requests per second, ${name}`;
      const sameSql = { measure, against: 'node:http and pg with the same SQL', goal: '≥ 0.85' } as const;
      const against = 'a hand-written Fastify with a JWT and response schemas';
      const missedBecause =
        'Both spend the request on the HTTP of Node.js and one statement. The service also audits and logs it. On another machine it was 1.22 to 1.33.';
      return [
        ratio(sameSql, rates.service, rates.bare),
        ratio({ measure, against, goal: '≥ 1.3', missedBecause }, rates.service, rates.handWritten),
      ];
    });
    return rows.flat();
  },
};
