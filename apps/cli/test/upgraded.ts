import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homeFolder, runHr } from './run-hr.ts';

type Files = Readonly<Record<string, string>>;

/** A folder with these files. */
export async function folderWith(files: Files): Promise<string> {
  const folder = await homeFolder();
  const writes = Object.entries(files).map(async ([name, text]) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  });
  await Promise.all(writes);
  return folder;
}

/** The files of a folder after `--write`, and the places that stay. */
export async function upgraded(files: Files): Promise<{ files: Files; left: string }> {
  const folder = await folderWith(files);
  const { stderr } = await runHr(['upgrade-names', '--write', folder]);
  const texts = Object.keys(files).map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return { files: Object.fromEntries(await Promise.all(texts)), left: stderr.replaceAll(`${folder}/`, '') };
}
