import { once } from 'node:events';
import { alternate } from '../alternate.ts';
import { ratio, type Row } from '../figures.ts';
import { inTurn, type Company, type Size } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram } from '../processes.ts';
import { requestRate } from '../requests.ts';
import type { TwoServers } from '../servers/service-without-audit.ts';

/** What the audit of reads costs, for short reads and for lists. */
async function costOfAudit({ url, token, paths }: Company, { turns, roundMs, warmUps }: Size): Promise<Row[]> {
  await using servers = await startProgram<TwoServers>('service-without-audit', [url]);
  async function flush(): Promise<void> {
    const flushed = once(servers.child, 'message');
    servers.child.send('flush');
    await flushed;
  }
  const reads = { salaries: [32, paths.salaries], 'lists of all persons': [4, ['/api/v1/persons']] } as const;
  return await Array.fromAsync(Object.entries(reads), async ([name, [callers, list]]) => {
    const nextPath = inTurn<string>(list);
    // An event that waits belongs to the round of its read.
    const rate = (origin: string) => () =>
      requestRate({ origin, token, callers, next: () => ({ path: nextPath() }), settle: flush }, roundMs);
    const rounds = { audited: rate(servers.ready.audited), unaudited: rate(servers.ready.unaudited) };
    const { audited, unaudited } = await alternate(rounds, 2 * turns, warmUps);
    const measure = `requests per second, ${name}`;
    const against = 'the service without the audit of reads';
    const missedBecause =
      'A salary history reads one index. The row of its event, although written in batches, is a tenth of that work.';
    return ratio({ measure, against, goal: '≥ 0.95', missedBecause }, audited, unaudited);
  });
}

/** The audit of reads. */
export const auditCost: Part = { name: 'audit-cost', histories: true, run: (bench) => costOfAudit(bench, bench) };
