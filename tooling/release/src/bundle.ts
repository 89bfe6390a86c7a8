import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { command } from './command.ts';
import { run } from './run.ts';
import { sbomOf, type Bundled } from './sbom.ts';

const [app = '', folder] = process.argv.slice(2);

// Writes the folder of an app that needs only Node.js, and what it consists of.
await command(async (report) => {
  if (folder === undefined) throw new Error(`Name the folder to write: pnpm ${app}:bundle FOLDER`);
  const cwd = process.cwd();
  const options = ['--prod', '--prefer-offline', '--config.node-linker=hoisted'];
  await run('pnpm', ['--filter', app, 'deploy', ...options, folder], { cwd });
  const licenses = join(resolve(folder), 'dist/licenses.json');
  const bundled = existsSync(licenses) ? (JSON.parse(await readFile(licenses, 'utf8')) as Bundled[]) : [];
  await writeFile(join(folder, 'sbom.cdx.json'), await sbomOf(cwd, app, bundled));
  report(`Wrote ${folder}.`);
});
