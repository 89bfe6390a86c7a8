import { execFile } from 'node:child_process';
import type { Program } from './program.ts';
import { PROGRAMS_FOLDER } from './write-programs.ts';

const LONGEST_MS = 30_000;

/** What a program that was written prints: as a user's Node.js runs it, with the built packages. */
export function runProgram({ document, file }: Program): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file], { cwd: PROGRAMS_FOLDER, env, timeout: LONGEST_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(`A program of ${document} failed:\n${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
