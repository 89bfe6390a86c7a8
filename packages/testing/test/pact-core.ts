import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MatcherContent } from '../src/contract/matchers/matchers-of.ts';

/** An answer, and what a contract says of it. */
export interface AnswerCase {
  readonly content: MatcherContent;
  readonly answer: unknown;
}

/**
 * What Pact itself finds wrong when it verifies a provider that gives these answers: the places, in Pact's own notation,
 * none where an answer is right. It runs apart, because its core writes to the terminal.
 */
export async function foundByPact(cases: readonly AnswerCase[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'pact-core-'));
  try {
    await writeFile(join(folder, 'cases.json'), JSON.stringify(cases));
    const program = fileURLToPath(new URL('./pact-core-program.ts', import.meta.url));
    const env = { ...process.env, PACT_DO_NOT_TRACK: 'true' };
    await promisify(execFile)(process.execPath, [program, folder], { env, maxBuffer: Infinity });
    return JSON.parse(await readFile(join(folder, 'found.json'), 'utf8')) as string[][];
  } finally {
    await rm(folder, { recursive: true });
  }
}
