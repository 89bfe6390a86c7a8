import type { ReadStream, WriteStream } from 'node:tty';

/** Where a command runs: its environment, streams and exit code. `process` is one. */
export interface Terminal extends Pick<NodeJS.Process, 'env' | 'exitCode'> {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
}
