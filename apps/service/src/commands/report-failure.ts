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
import { ConfigError, ListenError } from '../config/start-errors.ts';
import { CommandError } from '../terminal/command-error.ts';

/** Errors whose message is a sentence that helps, and holds nothing secret. */
const explained = [
  CommandError,
  ConfigError,
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
  stderr.write(`${explain(error)}\n`);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

/** Says in one sentence, without secrets, why something failed. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed.';
  if (error instanceof DatabaseUnavailableError) return `${error.message} ${error.remedy}`;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const isExplained = explained.some((kind) => error instanceof kind);
  // Node's own errors, such as EACCES, tell the path; any other message may tell personal data.
  if (isExplained || 'syscall' in error) return error.message;
  return `The command failed unexpectedly (${error.name}${code}).`;
}
