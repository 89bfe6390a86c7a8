import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { alternate } from '../alternate.ts';
import { amount, quantile } from '../figures.ts';
import { inTurn, newToken } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, startService, stop } from '../processes.ts';
import { statusAndTime, type Sent } from '../requests.ts';

const OTHERS = 10;
const CALM_MS = 6000;

/** The latency of ten clients while another one does its worst, and alone. */
export const neighbour: Part = {
  name: 'neighbour',
  histories: true,
  async run({ url, token, operatorToken, paths, database, turns, roundMs }) {
    await using service = await startService(url);
    const [locked = '', ...rest] = paths.salaries.map((path) => path.replace('/salaries/history', ''));
    const tokens = await Promise.all(Array.from({ length: OTHERS }, () => newToken(database, 'api:use')));
    const absences = inTurn(paths.absences);
    const contracts = inTurn(rest);
    const next = (index: number): Sent =>
      index % 2 === 0
        ? { path: absences() }
        : {
            path: `${contracts()}/variable-payments?billingPeriod=2026-10`,
            method: 'POST',
            body: JSON.stringify({ compensationComponentId: 'BONUS', amount: 250 }),
          };
    let failed = 0;

    async function percentile99(): Promise<number> {
      const times: number[] = [];
      const start = performance.now();
      const callers = tokens.map(async (of) => {
        for (let index = 0; performance.now() - start < 2 * roundMs; index++) {
          // oxlint-disable-next-line no-await-in-loop -- one request after the other
          const { status, ms } = await statusAndTime({ origin: service.ready, token: of }, next(index));
          if (status !== 200) failed++;
          times.push(ms);
        }
      });
      await Promise.all(callers);
      return quantile(times, 0.99);
    }

    /** The same beside a client with 200 requests in flight. It has a process of its own, so that it does not delay the measurement. */
    async function besideTheWorst(): Promise<number> {
      const locker = new Client({ connectionString: url });
      await locker.connect();
      const contract = decodeURIComponent(locked.split('/').at(-1) ?? '');
      await locker.query('begin');
      await locker.query('select from mapping where payroll_contract_id = $1 for update', [contract]);
      const worst = await startProgram('noisy-client', [service.ready, token, operatorToken, locked]);
      try {
        // Until its first requests fail, and it has sent them again.
        await setTimeout(Math.min(CALM_MS, 10 * roundMs));
        return await percentile99();
      } finally {
        await stop(worst.child);
        await locker.end();
      }
    }

    const times = await alternate({ alone: percentile99, beside: besideTheWorst }, turns);
    const measure = `p99 of ${OTHERS} clients`;
    return [
      amount({ measure: `${measure} alone`, unit: 'ms', goal: '≤ 50' }, times.alone),
      amount({ measure: `${measure} beside one with 200 requests in flight`, unit: 'ms', goal: '≤ 50' }, times.beside),
      amount({ measure: 'responses to these clients other than 200', unit: '', goal: '≤ 0' }, [failed]),
    ];
  },
};
