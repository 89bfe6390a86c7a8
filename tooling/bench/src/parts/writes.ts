import { alternate } from '../alternate.ts';
import { ratio } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Part, Row } from '../part.ts';
import { startProgram, startService } from '../processes.ts';
import { requestRate } from '../requests.ts';
import type { Load } from '../requests.ts';

const CALLERS = 32;

/** Durable changes: of persons, and new payments. */
export const writes: Part = {
  name: 'writes',
  async run({ url, token, paths, turns, roundMs, warmUps }) {
    await using service = await startService(url);
    await using bare = await startProgram<string>(new URL('../servers/bare-server.ts', import.meta.url), [url]);
    const persons = inTurn(paths.absences.map((path) => path.replace('/absences', '')));
    const contracts = inTurn(paths.salaries.map((path) => path.replace('/salaries/history', '')));
    let houseNumber = 0;
    const changes: Record<string, Load['next']> = {
      'changes of a person': () => ({
        path: persons(),
        method: 'PATCH',
        body: JSON.stringify({
          addresses: [{ street: 'Am Anger', houseNumber: String(++houseNumber), country: 'DE' }],
        }),
      }),
      payments: () => ({
        path: `${contracts()}/variable-payments?billingPeriod=2026-10`,
        method: 'POST',
        body: JSON.stringify({ compensationComponentId: 'BONUS', amount: 250 }),
      }),
    };
    const rows: Row[] = [];
    for (const [name, next] of Object.entries(changes)) {
      const rate = (origin: string) => () => requestRate({ origin, token, callers: CALLERS, next }, roundMs);
      // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
      const rates = await alternate({ service: rate(service.ready), bare: rate(bare.ready) }, 2 * turns, warmUps);
      rows.push({
        measure: `requests per second, ${name}`,
        against: 'node:http and pg with the same statements',
        figure: ratio(rates.service, rates.bare),
        unit: '×',
        goal: '≥ 0.7',
      });
    }
    return rows;
  },
};
