import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { problems } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import { describeError } from '../create-log.ts';
import { recordReads } from './audit-events.ts';
import type { Read } from './audit-events.ts';
import type { Database } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { uuidV7 } from './uuid-v7.ts';

const BATCH_MS = 1000;
/** An embedded database does nothing else while it writes a batch. */
const MAX_BATCH = 2500;
/** When so many events wait, reads are refused until the audit can be written again. */
const MAX_WAITING = 10_000;
const MAX_CLOSE_MS = 10_000;

/** Writes reads to the audit in batches, so that a read does not wait for it. */
export interface ReadAudit {
  /** @throws {HttpProblem} when too many reads wait to be written. */
  checkRoom(): void;
  /** Adds the read of a response: of a text now, of a list when it ends, with the number of elements sent until then. */
  note(answer: JsonAnswer, event: Omit<Read, 'id' | 'elements'>): void;
  /** Writes the reads that wait. Those that cannot be written keep waiting. */
  flush(): Promise<void>;
  /** Writes the reads that wait and those of open lists, and retries for a while. */
  close(): Promise<void>;
  /** How many reads wait, and how often writing them has failed. */
  state(): { readonly waiting: number; readonly failedWrites: number };
}

/** Starts the audit of reads. A killed process loses the reads of its last second. */
export function createReadAudit(database: Database, log: Logger): ReadAudit {
  const waiting: Read[] = [];
  const openLists = new Set<() => void>();
  let failedWrites = 0;
  let writing: Promise<void> | undefined;
  const timer = setInterval(() => void flush(), BATCH_MS).unref();

  function add(event: Omit<Read, 'id'>): void {
    waiting.push({ ...event, id: uuidV7() });
    // Only once: after a failure, the next attempt is the timer's.
    if (waiting.length === MAX_BATCH) void flush();
  }

  function flush(): Promise<void> {
    writing ??= write().finally(() => (writing = undefined));
    return writing;
  }

  async function write(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MAX_BATCH);
        // oxlint-disable-next-line no-await-in-loop -- in their order
        await recordReads(database, batch);
        waiting.splice(0, batch.length);
      }
    } catch (error) {
      failedWrites++;
      const described = describeError(error as Error);
      log.error({ waiting: waiting.length, error: described }, 'The audit of reads cannot be written now.');
    }
  }

  return {
    checkRoom() {
      if (waiting.length >= MAX_WAITING) throw problems.unavailable('Reads cannot be written to the audit now.');
    },
    note(answer, event) {
      const { json } = answer;
      if (!(json instanceof Readable)) {
        add({ ...event, elements: answer.elements });
        return;
      }
      const end = (): void => {
        // A list that failed before its first element has shown nothing.
        const wasRead = answer.elements > 0 || json.readableEnded;
        if (openLists.delete(end) && wasRead) add({ ...event, elements: answer.elements });
      };
      openLists.add(end);
      json.once('close', end);
    },
    flush,
    async close() {
      clearInterval(timer);
      for (const end of openLists) end();
      const deadline = performance.now() + MAX_CLOSE_MS;
      await flush();
      while (waiting.length > 0 && performance.now() < deadline) {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        await wait(BATCH_MS);
        // oxlint-disable-next-line no-await-in-loop
        await flush();
      }
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'Reads are missing in the audit.');
    },
    state: () => ({ waiting: waiting.length, failedWrites }),
  };
}
