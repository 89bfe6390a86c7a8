import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './report-failure.ts';

/** Prints JSON as it comes, however long it is. */
export async function printJson(json: Readable, stdout: Writable): Promise<void> {
  try {
    await pipeline(json, stdout, { end: false });
  } catch (error) {
    // A reader such as `head` that has enough is no failure.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return;
    throw new CommandError('The response broke off: what was printed is not all of it.');
  }
  stdout.write('\n');
}
