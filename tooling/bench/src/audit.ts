import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from './compare.ts';
import type { Comparison, Round, Server } from './compare.ts';
import { startPostgres } from './start-postgres.ts';
import { startTwoServers } from './two-servers.ts';

// What the audit of reads costs. README.md says how to read what it prints.

async function measure(driver: string, databaseUrl: string): Promise<void> {
  const servers = await startTwoServers(databaseUrl);
  const histories = servers.contractIds.map(
    (id) => `/api/v1/payrollContract/${encodeURIComponent(id)}/salaries/history`,
  );
  report(`${driver}, salary histories`, await compare(servers, { paths: histories, readers: 32 }));
  report(`${driver}, lists of all persons`, await compare(servers, { paths: ['/api/v1/persons'], readers: 4 }));
  await servers.stop();
}

function report(title: string, { reads, rounds }: Comparison): void {
  const all = (server: Server, of: keyof Round): number[] => rounds[server].map((round) => round[of]);
  const kept = (of: keyof Round): string => {
    const [fast, middle] = [0.25, 0.5].map(
      (part) => quantile(all('unaudited', of), part) / quantile(all('audited', of), part),
    );
    return `${percent(fast)} (${percent(middle)}) are kept`;
  };
  const rate = (server: Server): string => (reads / quantile(all(server, 'seconds'), 0.25)).toFixed(0);
  const cpu = (server: Server): string => ((quantile(all(server, 'cpuSeconds'), 0.25) / reads) * 1e6).toFixed(0);
  process.stdout.write(`${title}: ${rounds.audited.length} rounds of ${reads} reads, with the audit and without
  reads a second     ${rate('audited')} and ${rate('unaudited')}: ${kept('seconds')}
  processor, µs      ${cpu('audited')} and ${cpu('unaudited')} a read: ${kept('cpuSeconds')}
`);
}

function percent(ratio = Number.NaN): string {
  return `${(ratio * 100).toFixed(1)} %`;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

const folder = await mkdtemp(join(tmpdir(), 'hr-bench-'));
await measure('pglite', `pglite:${folder}`);
await rm(folder, { recursive: true, force: true });
const postgres = await startPostgres();
await measure('postgres', postgres.url);
await postgres.stop();
