import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { problems } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import { recordReads } from '../database/audit-events.ts';
import type { Read } from '../database/audit-events.ts';
import type { Database } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';

const BATCH_MS = 1000;
/** So many are written at a time, and at once: an embedded database answers nobody meanwhile. */
const MOST_A_BATCH = 2500;
/** Beyond it nobody reads until the audit can be written again. */
const MOST_WAITING = 10_000;
const LONGEST_CLOSE_MS = 10_000;

/** Writes down reads in batches, so that a read does not wait for it. */
export interface ReadAudit {
  /** @throws {HttpProblem} where too many reads wait to be written down already. */
  checkRoom(): void;
  /** Notes what an answer gives: a text now, a list when it has ended, with what it has given until then. */
  note(answer: JsonAnswer, event: Omit<Read, 'at' | 'elements'>): void;
  /** Writes down what waits; what cannot be written now goes on waiting. */
  flush(): Promise<void>;
  /** Writes down what waits and what lists that are still open have given, and keeps trying for a while. */
  close(): Promise<void>;
  /** How many reads wait, and how often writing them down has failed. */
  state(): { readonly waiting: number; readonly failedWrites: number };
}

/** Makes the audit of reads. What a killed process has read within the last second is lost. */
export function createReadAudit(database: Database, log: Logger): ReadAudit {
  const waiting: Read[] = [];
  const openLists = new Set<() => void>();
  let failedWrites = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function add(event: Omit<Read, 'at'>): void {
    waiting.push({ ...event, at: Date.now() });
    flushSoon();
    // Only once: where it fails, the next attempt is a second later.
    if (waiting.length === MOST_A_BATCH) void flush();
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => void flush(), BATCH_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
      if (waiting.length > 0) flushSoon();
    });
    return writing;
  }

  async function write(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MOST_A_BATCH);
        // oxlint-disable-next-line no-await-in-loop -- in their order
        await recordReads(database, batch);
        waiting.splice(0, batch.length);
      }
    } catch (error) {
      failedWrites++;
      log.error({ waiting: waiting.length, error: described(error) }, 'The audit of reads cannot be written now.');
    }
  }

  return {
    checkRoom() {
      if (waiting.length >= MOST_WAITING) throw problems.unavailable('Reads cannot be written down now.');
    },
    note(answer, event) {
      const { json } = answer;
      if (!(json instanceof Readable)) {
        add({ ...event, elements: answer.elements });
        return;
      }
      const end = (): void => {
        // What failed before it gave anything has shown nothing.
        const wasRead = answer.elements > 0 || json.readableEnded;
        if (openLists.delete(end) && wasRead) add({ ...event, elements: answer.elements });
      };
      openLists.add(end);
      json.once('close', end);
    },
    flush,
    async close() {
      for (const end of openLists) end();
      const deadline = performance.now() + LONGEST_CLOSE_MS;
      await flush();
      while (waiting.length > 0 && performance.now() < deadline) {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        await wait(BATCH_MS);
        // oxlint-disable-next-line no-await-in-loop
        await flush();
      }
      clearTimeout(timer);
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'Reads are missing in the audit.');
    },
    state: () => ({ waiting: waiting.length, failedWrites }),
  };
}

/** An error without its message, which may hold personal data. */
function described(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  return { name: error.name, ...('code' in error && { code: String(error.code) }) };
}
