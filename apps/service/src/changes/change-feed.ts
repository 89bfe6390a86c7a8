import { setImmediate } from 'node:timers/promises';
import type { ChangeKind, Changes, Query } from '@hr/schemas';
import { problems } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import { describeError } from '../config/create-log.ts';
import type { Database } from '../database/database.ts';
import type { TokenGrant } from '../http/grant.ts';
import type { Cursors } from './cursors.ts';
import { changesAfter, comesAfter, currentPosition, type ChangeSet, type Position } from './positions.ts';
import { visibleKinds } from './visible-kinds.ts';

/** Without a word of another process, it looks for changes that often while somebody waits. */
const LOOK_MS = 1000;
/** So many waiters hear of changes before other requests get their turn in the event loop. */
const TURN = 50;

/** A request for changes, and the database on behalf of its client. */
interface Waiting {
  readonly query: Query<'getChanges'>;
  readonly grant: TokenGrant;
  readonly database: Database;
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal;
}

/** What came until a position. */
interface News {
  readonly changes: readonly ChangeSet[];
  readonly position: Position;
}

/** Called with what came. `lost`: the request has to look itself; `over`: it has to respond now. */
type Waiter = (news: News | 'lost' | 'over') => void;

/** Lets requests wait for changes without a connection to the database: one look serves all of them. */
export type ChangeFeed = ReturnType<typeof createChangeFeed>;

export function createChangeFeed({
  database,
  cursors,
  stopping,
  log,
}: {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly stopping: AbortSignal;
  readonly log: Logger;
}) {
  const waiters = new Set<Waiter>();
  /** Waiters have heard of what came until then. */
  let position: Promise<Position> | undefined;
  let looking: Promise<void> | undefined;
  let isDue = false;
  let stop: (() => void) | undefined;
  stopping.addEventListener('abort', () => void tell('over'));

  function add(waiter: Waiter): void {
    waiters.add(waiter);
    if (stopping.aborted) waiter('over');
    if (stop) return;
    const timer = setInterval(lookSoon, LOOK_MS);
    const unsubscribe = database.onCommit(lookSoon);
    stop = () => {
      clearInterval(timer);
      unsubscribe();
    };
  }

  function remove(waiter: Waiter): void {
    waiters.delete(waiter);
    if (waiters.size > 0) return;
    stop?.();
    [stop, position] = [undefined, undefined];
  }

  /** Looks now, and once more if something comes meanwhile. */
  function lookSoon(): void {
    isDue = true;
    looking ??= lookWhileDue().finally(() => (looking = undefined));
  }

  async function lookWhileDue(): Promise<void> {
    while (isDue && position) {
      isDue = false;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one look after the other
        await look(await position);
      } catch (error) {
        log.warn({ error: describeError(error as Error) }, 'Nobody can look for changes now.');
      }
    }
  }

  async function look(before: Position): Promise<void> {
    const later = await changesAfter(database, before);
    const isKnown = typeof later !== 'string';
    const next = isKnown ? later.position : await currentPosition(database);
    // Otherwise all waiters have left.
    if (position) position = Promise.resolve(next);
    if (!isKnown || later.changes.length > 0) await tell(isKnown ? later : 'lost');
  }

  async function tell(news: Parameters<Waiter>[0]): Promise<void> {
    let count = 0;
    for (const waiter of waiters) {
      waiter(news);
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      if (++count % TURN === 0) await setImmediate();
    }
  }

  return {
    /**
     * What changed after a cursor, as soon as there is something that the client may see, or when the time has passed.
     *
     * @throws {HttpProblem} as `Cursors.positionOf`, also when the grants of the client change meanwhile.
     */
    async changes({ query: { after, wait = '0' }, grant, database: own, signal }: Waiting): Promise<Changes> {
      const response = async (until: Position, changed: ChangeKind[] = []): Promise<Changes> => ({
        cursor: await cursors.cursorAt(until, grant),
        changed,
      });
      if (after === undefined) return response(await currentPosition(own));
      const endsAt = performance.now() + Number(wait) * 1000;
      const before = await cursors.positionOf(after, grant);
      const isNew = comesAfter(before);
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<ChangeKind[] | 'grants' | 'lost' | 'over'>();
        let heard: Position | undefined;
        const waiter: Waiter = (news) => {
          if (typeof news === 'string') return resolve(news);
          heard = news.position;
          const changes = news.changes.filter(isNew);
          if (changes.some(({ touched }) => touched?.includes(`grants ${grant.clientId}`))) return resolve('grants');
          const changed = visibleKinds(changes, grant);
          if (changed.length > 0) resolve(changed);
        };
        add(waiter);
        const end = (): void => resolve('over');
        signal.addEventListener('abort', end);
        const timer = setTimeout(end, Math.max(0, endsAt - performance.now()));
        // oxlint-disable no-await-in-loop -- again where the feed has lost its position
        try {
          // Whatever comes after this position is heard; what came before, this request sees itself.
          await (position ??= currentPosition(database));
          const later = await cursors.changesAfter(own, before);
          const changed = visibleKinds(later.changes, grant);
          if (changed.length > 0) return await response(later.position, changed);
          const outcome = await promise;
          if (outcome === 'grants') throw problems.cursorExpired('grants');
          if (outcome !== 'lost') return await response(heard ?? later.position, outcome === 'over' ? [] : outcome);
        } finally {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          remove(waiter);
        }
        // oxlint-enable no-await-in-loop
      }
    },
  };
}
