import { dirname } from 'node:path';
import { installed } from './installed.ts';
import { run } from './run.ts';
import { staleFiles } from './stale-files.ts';
import { tarballFaults } from './tarball-faults.ts';
import { readTarball } from './tarball.ts';
import type { Tarball } from './tarball.ts';

/**
 * Checks a tarball as its users will get it.
 *
 * @param folder of the package that it was made of
 * @throws {Error} That says what is wrong.
 */
export async function checkTarball(path: string, folder: string): Promise<Tarball> {
  const tarball = await readTarball(path);
  const faults = [...tarballFaults(tarball), ...staleFiles(tarball, folder)];
  if (faults.length > 0) throw new Error(`The tarball of ${tarball.manifest.name} is wrong: ${faults.join('; ')}.`);
  const cwd = dirname(path);
  await Promise.all([
    run(installed('.bin/publint'), ['run', path, '--strict'], { cwd }),
    run(installed('.bin/attw'), [path, '--profile', 'esm-only'], { cwd }),
  ]);
  return tarball;
}
