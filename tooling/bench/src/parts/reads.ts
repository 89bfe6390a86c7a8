import { alternate } from '../alternate.ts';
import { ratio } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Part, Row } from '../part.ts';
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
    await using bare = await startProgram<string>(new URL('../servers/bare-server.ts', import.meta.url), [url]);
    await using other = await startProgram<string>(new URL('../servers/hand-written-server.ts', import.meta.url), [
      url,
    ]);
    const rows: Row[] = [];
    for (const [name, list] of Object.entries(paths)) {
      const nextPath = inTurn(list);
      const rate = (origin: string, bearer: string) => () =>
        requestRate({ origin, token: bearer, callers: CALLERS, next: () => ({ path: nextPath() }) }, roundMs);
      // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
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
      rows.push(
        {
          measure,
          against: 'node:http and pg with the same SQL',
          figure: ratio(rates.service, rates.bare),
          unit: '×',
          goal: '≥ 0.85',
        },
        {
          measure,
          against: 'a hand-written Fastify with a JWT and response schemas',
          figure: ratio(rates.service, rates.handWritten),
          unit: '×',
          goal: '≥ 1.3',
        },
      );
    }
    return rows;
  },
};
