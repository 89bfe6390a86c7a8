import { ensureEqual } from './ensure.ts';
import { programs } from './programs.ts';
import type { PackageName } from './programs.ts';
import type { Stage } from './stage.ts';

/** A team installs one package from the registry and uses it. Gives the versions of all it got. */
export async function useAlone(
  { team, serviceUrl, report }: Stage,
  name: PackageName,
): Promise<Readonly<Record<string, string>>> {
  const { installs, prints } = programs[name];
  const project = await team.install(name);
  const { versions } = project;
  ensureEqual(`What ${name} installs`, Object.keys(versions).toSorted(), installs);
  await project.typeCheck();
  ensureEqual(`What the program with ${name} prints`, await project.runProgram(serviceUrl), [prints, prints]);
  const got = Object.entries(versions).map(([dependency, version]) => `${dependency} ${version}`);
  report(`  ${name} alone is typed in TypeScript 7 and 6 and runs on Node 22 and 24: ${got.join(', ')}`);
  return versions;
}
