import { appendFileSync, chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CallFacts } from './tool.ts';

/** A call in the log. It contains ids and numbers, no personal data and no amounts. */
export interface LoggedCall extends CallFacts {
  readonly tool: string;
  /** Names of the given arguments. Their values are not logged. */
  readonly arguments: readonly string[];
  readonly durationMs: number;
  readonly outcome: 'done' | 'failed' | 'cancelled';
  /** Why it failed. */
  readonly code?: string;
}

/** The log of all calls, one JSON object a line. */
export interface CallLog {
  add(call: LoggedCall): void;
}

const OWNER_ONLY = 0o600;
const MAX_BYTES = 10_000_000;
/** The share of the current file. */
const CURRENT_SHARE = 0.2;

/**
 * Opens the log, and creates its file if there is none. Only the current user can read it. A full file is renamed, and
 * the oldest ones are deleted. Several servers can write to it: a line is in the file or, if another server renames it
 * at that moment, in the renamed one.
 */
export function openCallLog(file: string, maxBytes = MAX_BYTES): CallLog {
  appendFileSync(file, '', { mode: OWNER_ONLY });
  chmodSync(file, OWNER_ONLY);
  return {
    add(call) {
      const line = `${JSON.stringify({ time: new Date().toISOString(), ...call })}\n`;
      const maxSize = maxBytes * CURRENT_SHARE;
      if (sizeOf(file) + Buffer.byteLength(line) > maxSize) rotate(file, maxBytes - maxSize);
      appendFileSync(file, line, { mode: OWNER_ONLY });
    },
  };
}

let rotations = 0;

function rotate(file: string, maxBytes: number): void {
  try {
    renameSync(file, `${file}.${Date.now()}-${process.pid}-${++rotations}`);
  } catch (error) {
    // Another server has just renamed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const folder = dirname(file);
  const isOlder = (name: string) => name.startsWith(`${basename(file)}.`) && /\.\d+-\d+-\d+$/.test(name);
  let bytes = 0;
  const older = readdirSync(folder).filter(isOlder);
  for (const name of older.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))) {
    bytes += sizeOf(join(folder, name));
    if (bytes > maxBytes) rmSync(join(folder, name), { force: true });
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
