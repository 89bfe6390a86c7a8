import { problems, type Grants } from '@hr/schemas/provider';
import { systems } from '@hr/schemas/rules';
import { seededRandom } from '../fixtures/random.ts';

/** When something changed: the day, which `changedSince` compares, and the number of the change, which cursors compare. */
export interface Moment {
  readonly day: string;
  readonly number: number;
}

/** Why a cursor is no longer valid. */
export type ExpiryReason = 'history' | 'grants' | 'database';

/** The client of a cursor, and what it may see. */
export interface Reader {
  readonly clientId: string;
  readonly grants: Grants;
}

/** The numbers of changes, the cursors between them, and the requests that wait for the next change. */
export type ChangeLog = ReturnType<typeof createChangeLog>;

export function createChangeLog() {
  const id = Math.random().toString(36).slice(2);
  const waiting = new Set<() => void>();
  let last = 0;
  let expired: { readonly until: number; readonly reason: ExpiryReason } | undefined;

  /** Numbers a change. */
  function add(): number {
    for (const wake of waiting) wake();
    return ++last;
  }

  return {
    add,

    /** Calls a listener at each change, before it is made. */
    onChange: (listener: () => void): void => void waiting.add(listener),

    /** Expires all cursors so far. */
    expire(reason: ExpiryReason): void {
      expired = { until: last, reason };
      add();
    },

    cursorFor: (reader: Reader): string => signed(btoa([id, last, visibleTo(reader)].join('.')), reader),

    /**
     * The number of the last change before a cursor.
     *
     * @throws {HttpProblem} `invalid-request`, `cursor-expired`.
     */
    read(cursor: string, reader: Reader): number {
      const [payload = ''] = cursor.split('.');
      if (cursor !== signed(payload, reader)) throw problems.foreignCursor();
      const [ofLog, number, seen] = atob(payload).split('.');
      if (ofLog !== id) throw problems.cursorExpired('database');
      if (expired && Number(number) <= expired.until) throw problems.cursorExpired(expired.reason);
      if (seen !== visibleTo(reader)) throw problems.cursorExpired('grants');
      return Number(number);
    },

    /** Waits for the next change, at most so long, or until the signal aborts. */
    next(milliseconds: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (signal.aborted) wake();
      });
    },
  };
}

function visibleTo({ grants }: Reader): string {
  return (grants.systems ?? systems).join();
}

/** Without padding, base64 of ASCII has only characters of URLs. */
function signed(payload: string, { clientId }: Reader): string {
  const text = payload.replace(/=+$/, '');
  return `${text}.${seededRandom(clientId, text)
    .integer(0, 2 ** 32 - 1)
    .toString(36)}`;
}
