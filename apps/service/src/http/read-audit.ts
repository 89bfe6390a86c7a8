import type { Logger } from 'pino';
import { recordEvents } from '../database/audit-events.ts';
import type { AuditEvent } from '../database/audit-events.ts';
import type { Database } from '../database/database.ts';
import { unavailable } from './problem-of.ts';

const BATCH_MS = 1000;
/** Beyond it nobody reads until the audit can be written again. */
const MOST_WAITING = 10_000;

/** Writes down reads in batches, so that a read does not wait for it. */
export interface ReadAudit {
  /** @throws {HttpProblem} where too many reads wait to be written down already. */
  checkRoom(): void;
  note(event: Omit<AuditEvent, 'access' | 'at'>): void;
  /** Writes down what waits. */
  flush(): Promise<void>;
}

/** Makes the audit of reads. What a killed process has read within the last second is lost. */
export function createReadAudit(database: Database, log: Logger): ReadAudit {
  let waiting: AuditEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    timer = undefined;
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    try {
      await recordEvents(database, batch);
    } catch (error) {
      waiting = [...batch, ...waiting];
      timer ??= setTimeout(() => void flush(), BATCH_MS).unref();
      log.error(
        { error: { name: error instanceof Error ? error.name : typeof error } },
        'The audit of reads is not written.',
      );
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    writing = writing.then(write);
    return writing;
  }

  return {
    checkRoom() {
      if (waiting.length >= MOST_WAITING) throw unavailable('Reads cannot be written down now.');
    },
    note(event) {
      waiting.push({ ...event, access: 'read', at: Date.now() });
      timer ??= setTimeout(() => void flush(), BATCH_MS).unref();
    },
    flush,
  };
}
