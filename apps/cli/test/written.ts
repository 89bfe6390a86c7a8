import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Label } from '@hr/text/labels';
import type { RecordKind } from '../src/output/record-kind.ts';
import { writeRecords, type OutputFlags } from '../src/output/write-records.ts';

/** What records are on standard output, which is a pipe or, with a number of columns, a terminal, and on standard error. */
export async function written<T>(
  flags: OutputFlags,
  kind: RecordKind<T>,
  elements: AsyncIterable<T> | Iterable<T>,
  { columns, env = {}, labels }: { columns?: number; env?: NodeJS.ProcessEnv; labels?: readonly Label[] } = {},
): Promise<{ stdout: string; stderr: string; records: number; file?: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([buffer(stdout), buffer(stderr)]);
  const terminal = columns === undefined ? stdout : Object.assign(stdout, { isTTY: true, columns });
  const result = await writeRecords({ stdout: terminal, stderr, env, labels }, flags, kind, elements).finally(() => {
    stdout.end();
    stderr.end();
  });
  const [out, err] = await printed;
  return { stdout: out.toString(), stderr: err.toString(), ...result };
}
