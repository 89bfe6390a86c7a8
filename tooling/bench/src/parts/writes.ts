import { alternate } from '../alternate.ts';
import { ratio } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, startService } from '../processes.ts';
import { requestRate, type Load } from '../requests.ts';

const CALLERS = 32;

/** Durable changes: of persons, and new payments. */
export const writes: Part = {
  name: 'writes',
  async run({ url, token, paths, turns, roundMs, warmUps }) {
    await using service = await startService(url);
    await using bare = await startProgram<string>('bare-server', [url]);
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
    return await Array.fromAsync(Object.entries(changes), async ([name, next]) => {
      const rate = (origin: string) => () => requestRate({ origin, token, callers: CALLERS, next }, roundMs);
      const rates = await alternate({ service: rate(service.ready), bare: rate(bare.ready) }, 2 * turns, warmUps);
      const measure = `requests per second, ${name}`;
      const against = 'node:http and pg with the same statements';
      return ratio({ measure, against, goal: '≥ 0.7' }, rates.service, rates.bare);
    });
  },
};
