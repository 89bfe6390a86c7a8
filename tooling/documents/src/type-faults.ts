import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Program } from './program.ts';
import { PROGRAMS_FOLDER } from './write-programs.ts';

/** What a TypeScript finds in the programs that were written, each with its place in the document. */
export async function typeFaults(programs: readonly Program[], typescript: string): Promise<string[]> {
  const compiler = fileURLToPath(new URL(`../node_modules/${typescript}/bin/tsc`, import.meta.url));
  const said = await new Promise<string>((resolve) => {
    const args = [compiler, '-p', PROGRAMS_FOLDER, '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: PROGRAMS_FOLDER }, (error, stdout, stderr) => {
      resolve(error && stdout === '' ? `${typescript} failed: ${stderr}` : stdout);
    });
  });
  return said
    .split(/\n(?! )/)
    .filter((fault) => fault.trim() !== '')
    .map((fault) => {
      const [, file, line, what = ''] = /^(.+?)\((\d+),\d+\): error (.*)/s.exec(fault) ?? [];
      const program = programs.find((each) => each.file === file);
      return program ? `${program.document}:${line}: ${what}` : fault;
    });
}
