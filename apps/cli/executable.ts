// Writes hr as one file that needs no Node.js: node executable.ts FILE
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file to write: cli:executable FILE');

using folder = mkdtempDisposableSync(join(tmpdir(), 'hr-'));
const main = join(folder.path, 'hr.cjs');
const output = join(folder.path, 'hr.blob');
const config = join(folder.path, 'sea.json');

await build({
  input: join(import.meta.dirname, 'src/main.ts'),
  platform: 'node',
  resolve: { conditionNames: ['@hr/source', 'import', 'node', 'default'] },
  // A program of one file cannot load its native code: secrets are in the file of the profiles then.
  external: ['@napi-rs/keyring'],
  // What a command imports when it runs stays unevaluated until then.
  output: { file: main, format: 'cjs', codeSplitting: false, minify: true },
  // Such as about a module that is not there.
  onLog(_, { message }) {
    throw new Error(message);
  },
});
writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }));
execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
copyFileSync(process.execPath, file);
codesign('--remove-signature');
// What marks the place for the script in Node.js.
const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2', '--macho-segment-name', 'NODE_SEA'];
const postject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
execFileSync(process.execPath, [postject, file, 'NODE_SEA_BLOB', output, ...fuse], { stdio: 'pipe' });
codesign('--sign', '-');

/** macOS runs no program that was changed after it was signed. */
function codesign(...args: readonly string[]): void {
  if (process.platform === 'darwin') execFileSync('codesign', [...args, file ?? '']);
}
