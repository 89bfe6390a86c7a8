import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
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
export interface CallLog extends Disposable {
  add(call: LoggedCall): void;
}

const OWNER_ONLY = 0o600;

/** Opens the log, and creates its file if there is none. Only the current user can read it. */
export function openCallLog(file: string): CallLog {
  const descriptor = openSync(file, 'a', OWNER_ONLY);
  fchmodSync(descriptor, OWNER_ONLY);
  return {
    add(call) {
      writeSync(descriptor, `${JSON.stringify({ time: new Date().toISOString(), ...call })}\n`);
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}
