import type { Readable, Writable } from 'node:stream';

/** Where a command runs: the settings that it reads, its streams and its exit code. `process` is one. */
export interface Terminal extends Pick<NodeJS.Process, 'env' | 'exitCode'> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}
