import { ensureEqual } from './ensure.ts';
import { programs } from './programs.ts';
import type { PackageName } from './programs.ts';
import type { Stage } from './stage.ts';
import type { TeamProject } from './team.ts';

/** Uses a package in a project that has installed it and nothing else. */
export async function useAlone(
  { serviceUrl, report }: Stage,
  name: PackageName,
  { versions, typeCheck, runProgram }: TeamProject,
): Promise<void> {
  const { installs, prints } = programs[name];
  ensureEqual(`What ${name} installs`, Object.keys(versions).toSorted(), installs);
  await typeCheck();
  ensureEqual(`What the program with ${name} prints`, await runProgram(serviceUrl), [prints, prints]);
  const got = Object.entries(versions).map(([dependency, version]) => `${dependency} ${version}`);
  report(`  ${name} alone is typed in TypeScript 7 and 6 and runs on Node 22 and 24: ${got.join(', ')}`);
}
