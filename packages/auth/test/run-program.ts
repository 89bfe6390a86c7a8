import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a TypeScript module in a Node.js process. Resolves to its stdout; rejects if it fails. */
export async function runProgram(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', program],
    { cwd: join(import.meta.dirname, '..') },
  );
  return stdout;
}
