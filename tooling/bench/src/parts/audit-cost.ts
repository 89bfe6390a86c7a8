import { once } from 'node:events';
import { alternate } from '../alternate.ts';
import { ratio } from '../figures.ts';
import { inTurn } from '../open-bench.ts';
import type { Company, Size } from '../open-bench.ts';
import type { Part, Row } from '../part.ts';
import { startProgram } from '../processes.ts';
import { requestRate } from '../requests.ts';
import type { TwoServers } from '../servers/service-without-audit.ts';

/** What the audit of reads costs, for short reads and for lists. */
export async function costOfAudit({ url, token, paths }: Company, { turns, roundMs, warmUps }: Size): Promise<Row[]> {
  const program = new URL('../servers/service-without-audit.ts', import.meta.url);
  await using servers = await startProgram<TwoServers>(program, [url]);
  async function flush(): Promise<void> {
    const flushed = once(servers.child, 'message');
    servers.child.send('flush');
    await flushed;
  }
  const rows: Row[] = [];
  for (const [name, callers, list] of [
    ['salaries', 32, paths.salaries],
    ['lists of all persons', 4, ['/api/v1/persons']],
  ] as const) {
    const nextPath = inTurn<string>(list);
    // An event that waits belongs to the round of its read.
    const rate = (origin: string) => () =>
      requestRate({ origin, token, callers, next: () => ({ path: nextPath() }), settle: flush }, roundMs);
    // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
    const rates = await alternate(
      { audited: rate(servers.ready.audited), unaudited: rate(servers.ready.unaudited) },
      2 * turns,
      warmUps,
    );
    rows.push({
      measure: `requests per second, ${name}`,
      against: 'the service without the audit of reads',
      figure: ratio(rates.audited, rates.unaudited),
      unit: '×',
      goal: '≥ 0.95',
    });
  }
  return rows;
}

/** The audit of reads. */
export const auditCost: Part = { name: 'audit-cost', histories: true, run: (bench) => costOfAudit(bench, bench) };
