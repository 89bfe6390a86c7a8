import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles a program into a file of a folder, because it starts sooner. */
export async function bundleProgram(program: URL, folder: string): Promise<string> {
  const file = join(folder, 'program.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(program),
    platform: 'node',
    resolve: { conditionNames: ['@hr/source'] },
  });
  await bundle.write({ file, codeSplitting: false });
  return file;
}
