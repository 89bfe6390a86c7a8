import { parseArgs } from 'node:util';
import { openBench } from './open-bench.ts';
import { parts } from './parts.ts';
import { rowText, writeResults } from './results.ts';

const { values, positionals } = parseArgs({
  options: { persons: { type: 'string', default: '200000' } },
  allowPositionals: true,
});
const persons = Number(values.persons);
const names = parts.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`Unknown part ${unknown.join(', ')}: use ${names.join(', ')}.`);
if (!Number.isInteger(persons) || persons < 100) throw new Error('--persons must be an integer of at least 100.');

const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const histories = chosen.some((part) => part.histories);
await using bench = await openBench({ persons, turns: 5, roundMs: 1000, warmUps: 5 }, histories);
const { rows: versions } = await bench.pool.query<{ server_version: string }>('show server_version');
const circumstances = { persons, postgresVersion: versions[0]?.server_version ?? '' };
for (const part of chosen) {
  // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
  const rows = await part.run(bench);
  process.stdout.write(`${part.name}\n${rows.map((row) => `  ${rowText(row)}\n`).join('')}`);
  // oxlint-disable-next-line no-await-in-loop
  await writeResults(part, rows, circumstances);
}
