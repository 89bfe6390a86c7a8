import type { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import {
  DatabaseRefusedError,
  DatabaseUnavailableError,
  FolderHeldError,
  FolderNotWritableError,
} from '../database/database-errors.ts';
import { MigrationRefusedError } from '../database/migrate.ts';
import { FeedSourceError } from '../feed/feed-source.ts';
import { ConfigError, ListenError } from '../start-errors.ts';

/** A command failed. The message is one sentence for the person who ran it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code = 'command';
  readonly exitCode: 1 | 2;

  /** @param exitCode 1 for a failure, 2 for a wrong call or setting */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Errors whose message is a sentence that helps, and holds nothing secret. */
const explained = [
  DatabaseRefusedError,
  FolderHeldError,
  FolderNotWritableError,
  MigrationRefusedError,
  FeedSourceError,
  ListenError,
];

/** Says in one sentence why a command failed, and gives its exit code. */
export function reportFailure(error: unknown, stderr: Writable): number {
  // Commander has said it already; it ends with 1 where the call was wrong.
  if (error instanceof CommanderError) return error.exitCode && 2;
  stderr.write(`${sentence(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed.';
  if (error instanceof DatabaseUnavailableError) {
    return `${error.message} ${error.remedy}`;
  }
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const isExplained = [CommandError, ConfigError, ...explained].some((kind) => error instanceof kind);
  // Node's own errors, such as EACCES, tell the path; any other message may tell personal data.
  if (isExplained || 'syscall' in error) return error.message;
  return `The command failed unexpectedly (${error.name}${code}).`;
}
