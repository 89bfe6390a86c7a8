import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { problems } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import { describeError } from '../config/create-log.ts';
import { copyEvents, type DatedEvent } from './audit-events.ts';
import type { Database } from '../database/database.ts';
import type { Subject } from '../database/json-answer.ts';
import type { Access, AccessAudit } from '../http/access-audit.ts';
import { uuidV7 } from './uuid-v7.ts';

const BATCH_MS = 1000;
/** An embedded database does nothing else while it writes a batch. */
const MAX_BATCH = 2500;
/** When so many events wait, reads are refused until the audit can be written again. */
const MAX_WAITING = 10_000;
const MAX_CLOSE_MS = 10_000;

/** Writes reads and refusals to the audit in batches, so that no request waits for it. */
export interface ReadAudit extends Omit<AccessAudit, 'recordChange'> {
  /** Adds a refusal. Those that differ by nothing but their request are one event of a batch, so a flood writes little. */
  noteRefusal(refusal: Omit<Access, keyof Subject> & { readonly status: number }): void;
  /** Writes the events that wait. Those that cannot be written keep waiting. */
  flush(): Promise<void>;
  /** Writes the events that wait and the reads of open lists, and retries for a while. */
  close(): Promise<void>;
  /** How many events wait, and how often writing them has failed. */
  state(): { readonly waiting: number; readonly failedWrites: number };
}

/** Starts the audit of reads and refusals. A killed process loses those of its last second. */
export function createReadAudit(database: Database, log: Logger): ReadAudit {
  const waiting: DatedEvent[] = [];
  const refusals = new Map<string, DatedEvent>();
  const openLists = new Set<() => void>();
  let failedWrites = 0;
  let isClosed = false;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Writes what waits, soon. */
  function flushSoon(): void {
    timer ??= setTimeout(() => void flush(), BATCH_MS).unref();
  }

  function add(event: Access, elements: number): void {
    waiting.push({ ...event, access: 'read', elements, id: uuidV7() });
    flushSoon();
    // Only once: after a failure, the next attempt is the timer's.
    if (waiting.length === MAX_BATCH) void flush();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
      if (countWaiting() > 0 && !isClosed) flushSoon();
    });
    return writing;
  }

  async function write(): Promise<void> {
    try {
      await writeWaiting();
      // Not before: while nothing can be written, refusals are merged and do not use up the room for reads.
      for (const [key, refusal] of refusals) {
        refusals.delete(key);
        waiting.push(refusal);
      }
      await writeWaiting();
    } catch (error) {
      failedWrites++;
      const described = describeError(error as Error);
      log.error(
        { waiting: countWaiting(), error: described },
        'Reads and refusals cannot be written to the audit now.',
      );
    }
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await copyEvents(database, batch);
      waiting.splice(0, batch.length);
    }
  }

  const countWaiting = (): number => waiting.length + refusals.size;

  return {
    checkRoom() {
      if (waiting.length >= MAX_WAITING) throw problems.unavailable('Reads cannot be written to the audit now.');
    },
    noteRead(answer, event) {
      const { json } = answer;
      if (!(json instanceof Readable)) {
        add(event, answer.elements);
        return;
      }
      const end = (): void => {
        // A list that failed before its first element has shown nothing.
        const wasRead = answer.elements > 0 || json.readableEnded;
        if (openLists.delete(end) && wasRead) add(event, answer.elements);
      };
      openLists.add(end);
      json.once('close', end);
    },
    noteRefusal(refusal) {
      const { requestId: _, ...same } = refusal;
      const key = JSON.stringify(same);
      const before = refusals.get(key) ?? { ...refusal, access: 'refused', id: uuidV7(), elements: 0 };
      refusals.set(key, { ...before, elements: before.elements + 1 });
      flushSoon();
    },
    flush,
    async close() {
      isClosed = true;
      for (const end of openLists) end();
      const deadline = performance.now() + MAX_CLOSE_MS;
      await flush();
      while (countWaiting() > 0 && performance.now() < deadline) {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        await wait(BATCH_MS).then(flush);
      }
      if (countWaiting() > 0) log.error({ lost: countWaiting() }, 'Reads and refusals are missing in the audit.');
    },
    state: () => ({ waiting: countWaiting(), failedWrites }),
  };
}
