import { setImmediate } from 'node:timers/promises';
import { problems } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import { describeError } from '../config/create-log.ts';
import { coalesce } from '../database/coalesce.ts';
import type { Database } from '../database/database.ts';
import type { ChangeFeed, Waiting } from '../http/changes.ts';
import type { TokenGrant } from '../http/grant.ts';
import type { Cursors } from './cursors.ts';
import { changesAfter, comesAfter, currentPosition, type ChangeSet, type Later, type Position } from './positions.ts';

/** While requests wait, it looks for changes that often, as it may not hear of a commit of another process. */
const LOOK_MS = 1000;
/** It goes on for a while after the last wait: the next one has most likely the cursor of that. */
const LINGER_MS = 10_000;
/** Changes of so many looks are kept, so that a wait which goes on after one of them needs no statement. */
const MAX_KEPT = 100;
/** So many waiters hear of changes in one turn of the event loop. */
const MANY = 1000;
/** Of more, so many do before other requests get their turn, as do those who come back. */
const TURN = 15;

/** What came until a position. */
interface News {
  readonly changes: readonly ChangeSet[];
  readonly position: Position;
}

/** Called with what came. `lost`: the request has to look itself; `over`: it has to respond now. */
type Waiter = (news: News | 'lost' | 'over') => void;

/** Lets requests wait for changes without a connection to the database: one look serves all of them. */
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
}): ChangeFeed {
  const waiters = new Set<Waiter>();
  /** Waiters have heard of what came until then. */
  let position: Promise<Position> | undefined;
  let stop: (() => void) | undefined;
  /** What the latest looks found, each after a position. */
  let kept: { readonly after: string; readonly changes: readonly ChangeSet[] }[] = [];
  let lingersUntil = 0;
  /** Whether something was committed since the last look began. */
  let isBehind = false;
  const asking = new Map<string, Promise<Later>>();
  stopping.addEventListener('abort', () => {
    stop?.();
    void tell('over');
  });

  function add(waiter: Waiter): void {
    waiters.add(waiter);
    if (stopping.aborted) waiter('over');
    if (isBehind) void lookSoon();
    if (stop || stopping.aborted) return;
    const timer = setInterval(() => {
      if (waiters.size === 0 && performance.now() > lingersUntil) stop?.();
      else void lookSoon();
    }, LOOK_MS).unref();
    const unsubscribe = database.onCommit(() => {
      isBehind = true;
      // Many commits between two waits need one look.
      if (waiters.size > 0) void lookSoon();
    });
    stop = () => {
      clearInterval(timer);
      unsubscribe();
      [stop, position, kept, isBehind] = [undefined, undefined, [], false];
    };
  }

  function remove(waiter: Waiter): void {
    waiters.delete(waiter);
    lingersUntil = performance.now() + LINGER_MS;
  }

  /** The position until which waiters have heard. Whatever comes after it, they will hear. */
  function currentlyHeard(): Promise<Position> {
    position ??= currentPosition(database).catch((error: unknown) => {
      position = undefined;
      throw error;
    });
    return position;
  }

  /**
   * What came after a position that the process does not know, such as after a restart. Those who ask in the same turn of
   * the event loop share a statement. It begins after all of them hear of changes, so that nothing falls between.
   */
  function laterThan(before: Position): Promise<Later> {
    const key = keyOf(before);
    const asked = asking.get(key);
    if (asked) return asked;
    const later = setImmediate().then(() => {
      asking.delete(key);
      return cursors.changesAfter(database, before);
    });
    asking.set(key, later);
    return later;
  }

  /** What came after a position until the last look, if that is known. */
  function keptAfter(before: Position, current: Position): readonly ChangeSet[] | undefined {
    if (keyOf(before) === keyOf(current)) return [];
    const from = kept.findLastIndex(({ after }) => after === keyOf(before));
    return from === -1 ? undefined : kept.slice(from).flatMap(({ changes }) => changes);
  }

  const lookSoon = coalesce(async () => {
    try {
      if (position) await look(await position);
    } catch (error) {
      log.warn({ error: describeError(error as Error) }, 'The service cannot look for changes now. It tries again.');
    }
  });

  async function look(before: Position): Promise<void> {
    isBehind = false;
    const later = await changesAfter(database, before);
    const isKnown = typeof later !== 'string';
    const next = isKnown ? later.position : await currentPosition(database);
    // Otherwise it was stopped meanwhile.
    if (position) position = Promise.resolve(next);
    if (isKnown && later.changes.length === 0) return;
    kept = isKnown ? [...kept, { after: keyOf(before), changes: later.changes }].slice(-MAX_KEPT) : [];
    await tell(isKnown ? later : 'lost');
  }

  async function tell(news: Parameters<Waiter>[0]): Promise<void> {
    const turn = waiters.size > MANY ? TURN : MANY;
    let count = 0;
    for (const waiter of new Set(waiters)) {
      waiter(news);
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      if (++count % turn === 0) await setImmediate();
    }
  }

  return {
    async changes<Kind extends string>(
      { query: { after, wait = '0' }, grant, database: own, signal }: Waiting,
      visible: (changes: readonly ChangeSet[], grant: TokenGrant) => Kind[],
    ) {
      const response = async (until: Position, changed: Kind[] = []) => ({
        cursor: await cursors.cursorAt(until, grant),
        changed,
      });
      if (after === undefined) return response(await currentPosition(own));
      const endsAt = performance.now() + Number(wait) * 1000;
      const before = await cursors.positionOf(after, grant);
      /** What the client hears of changes. Its request may have the grants of a moment ago. */
      const heardOf = (changes: readonly ChangeSet[]): Kind[] => {
        if (changeGrants(changes, grant)) throw problems.cursorExpired('grants');
        return visible(changes, grant);
      };
      // Waiters may hear of a commit a moment later. A request that does not wait must not miss it.
      if (Number(wait) === 0) {
        const { changes, position: until } = await cursors.changesAfter(own, before);
        return response(until, heardOf(changes));
      }
      const isNew = comesAfter(before);
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<Kind[] | 'grants' | 'lost' | 'over'>();
        let heard: Position | undefined;
        let isOver = false;
        const conclude = (outcome: Awaited<typeof promise>): void => {
          isOver = true;
          resolve(outcome);
        };
        const waiter: Waiter = (news) => {
          // The response does not tell of what comes later, so its cursor must be from before that.
          if (isOver) return;
          if (typeof news === 'string') return conclude(news);
          heard = news.position;
          const changes = news.changes.filter(isNew);
          if (changeGrants(changes, grant)) return conclude('grants');
          const changed = visible(changes, grant);
          if (changed.length > 0) conclude(changed);
        };
        add(waiter);
        const end = (): void => conclude('over');
        signal.addEventListener('abort', end);
        const timer = globalThis.setTimeout(end, Math.max(0, endsAt - performance.now()));
        // oxlint-disable no-await-in-loop -- again where the feed has lost its position
        try {
          const current = await currentlyHeard();
          const known = keptAfter(before, current);
          const later = known ? { changes: known, position: current } : await laterThan(before);
          const changed = heardOf(later.changes);
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

/** Whether the client may see something else than what its request was checked with. */
function changeGrants(changes: readonly ChangeSet[], { clientId, grantsChange }: TokenGrant): boolean {
  return changes.some(({ id, touched }) => touched?.includes(`grants ${clientId}`) && String(id) !== grantsChange);
}

function keyOf({ snapshot, latest, digest }: Position): string {
  return `${latest} ${digest} ${snapshot}`;
}
