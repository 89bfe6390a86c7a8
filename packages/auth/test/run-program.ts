import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs the text of a TypeScript module in a Node.js of its own; resolves to what it prints, rejects unless it ends with 0. */
export async function runProgram(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', program],
    { cwd: join(import.meta.dirname, '..') },
  );
  return stdout;
}
