import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from './compare.ts';
import type { Comparison, Pair } from './compare.ts';
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

function report(title: string, { reads, pairs }: Comparison): void {
  const median = (of: (pair: Pair) => number): number => quartiles(pairs.map(of))[1];
  const cost = (of: 'seconds' | 'cpuSeconds'): string => {
    const ratios = pairs.map(({ audited, unaudited }) => unaudited[of] / audited[of]);
    const [low, middle, high] = quartiles(ratios).map((ratio) => (ratio * 100).toFixed(1));
    return `${middle} % (${low} to ${high})`;
  };
  const rate = (server: keyof Pair): string => (reads / median((pair) => pair[server].seconds)).toFixed(0);
  const cpu = (server: keyof Pair): string => ((median((pair) => pair[server].cpuSeconds) / reads) * 1e6).toFixed(0);
  process.stdout.write(`${title}: ${pairs.length} pairs of rounds of ${reads} reads, with the audit and without
  reads a second     ${rate('audited')} and ${rate('unaudited')}: ${cost('seconds')} are kept
  processor, µs      ${cpu('audited')} and ${cpu('unaudited')} a read: ${cost('cpuSeconds')} are kept
`);
}

function quartiles(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return [at(0.25), at(0.5), at(0.75)];
}

const folder = await mkdtemp(join(tmpdir(), 'hr-bench-'));
await measure('pglite', `pglite:${folder}`);
await rm(folder, { recursive: true, force: true });
const postgres = await startPostgres();
await measure('postgres', postgres.url);
await postgres.stop();
