import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createChangeFeed } from '../src/changes/change-feed.ts';
import type { Cursors } from '../src/changes/cursors.ts';
import { visibleKinds } from '../src/changes/visible-kinds.ts';
import type { Later, Position } from '../src/changes/positions.ts';
import type { Database } from '../src/database/database.ts';
import type { Waiting } from '../src/http/changes.ts';

const grant = { clientId: 'a', scope: 'api:use', expiresAt: 0, customFields: [] } as unknown as Waiting['grant'];
const positionAt = (latest: string): Position => ({ snapshot: '9:9:', latest, digest: latest });
const nothingSince = (before: Position): Later => ({
  since: { first: '9', except: [] },
  changes: [],
  position: before,
});

const ignore = (): void => {};

/** A feed of a process that hears of commits while a request looks at the database itself, for a cursor of another process. */
function slowFeed(changes: Later['changes'] = []) {
  const looked = Promise.withResolvers<void>();
  let commit = ignore;
  let latest = 5;
  let touched = '';
  let looks = 0;
  let statements = 0;
  const database = {
    onCommit(listener: () => void) {
      commit = listener;
      return ignore;
    },
    query: async (text: string) => {
      statements++;
      const found = { first: String(latest), except: [], changes: [[String(latest), String(latest), [touched]]] };
      return [{ ...positionAt(String(latest)), ...(text.includes('change_history where dropped_id') && found) }];
    },
  } as unknown as Database;
  const cursors = {
    cursorAt: async (position: Position) => position.latest,
    positionOf: async (cursor: string) => ({ ...positionAt(cursor), snapshot: '8:8:' }),
    changesAfter: async (_: unknown, before: Position) => {
      looks++;
      await looked.promise;
      return { ...nothingSince(before), changes };
    },
  } as unknown as Cursors;
  const stopping = new AbortController().signal;
  const feed = createChangeFeed({ database, cursors, stopping, log: pino({ level: 'silent' }) });
  return {
    wait: (seconds: number) => {
      const call = { query: { after: '5', wait: String(seconds) }, grant, database, signal: stopping };
      return feed.changes(call, visibleKinds);
    },
    change: async (name: string): Promise<void> => {
      latest++;
      touched = name;
      commit();
      // oxlint-disable-next-line no-await-in-loop -- until the feed has looked
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    },
    look: looked.resolve,
    looks: () => looks,
    statements: () => statements,
  };
}

test('commits between two waits need no statement until the next wait, which hears of them at once', async () => {
  const { wait, change, look, statements } = slowFeed();
  look();
  const first = wait(30);
  await setImmediate();
  await change('timeBookings');
  await first;
  const before = statements();
  await change('absences');
  await change('absences');
  expect(statements()).toBe(before);
  const second = wait(30);
  await expect(second).resolves.toEqual({ cursor: '8', changed: ['absences'] });
});

test('a response of two changes, of which it tells the first, has the cursor of the first', async () => {
  const { wait, change, look } = slowFeed();
  const response = wait(30);
  await setImmediate();
  await change('timeBookings');
  await change('absences');
  look();
  expect(await response).toEqual({ cursor: '6', changed: ['timeBookings'] });
});

test('a response without a change has a cursor from before one that came after its time', async () => {
  const { wait, change, look } = slowFeed();
  const response = wait(0);
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  await change('timeBookings');
  look();
  expect(await response).toEqual({ cursor: '5', changed: [] });
});

test('a wait that begins with the grants of a moment ago ends at once', async () => {
  const { wait, look } = slowFeed([{ id: 6n, xid: '6', touched: ['grants a'] }]);
  const response = wait(30);
  look();
  await expect(response).rejects.toMatchObject({ code: 'cursor-expired', members: { reason: 'grants' } });
});

test('requests that come together after a restart share a look, and hear of what comes during it', async () => {
  const { wait, change, look, looks } = slowFeed();
  const responses = Array.from({ length: 1000 }, () => wait(30));
  // oxlint-disable-next-line no-await-in-loop -- until they look
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  await change('timeBookings');
  const late = wait(30);
  await setImmediate();
  look();
  for (const response of await Promise.all([...responses, late]))
    expect(response).toEqual({ cursor: '6', changed: ['timeBookings'] });
  expect(looks()).toBeLessThanOrEqual(2);
});
