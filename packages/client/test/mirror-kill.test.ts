import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, onTestFinished, test } from 'vitest';
import { openMirror } from '../src/mirror/index.ts';
import { bundleProgram } from './bundle-program.ts';
import { newFile } from './mirror-cloud.ts';
import { appendChanges, lastValues, valuesOf } from './mirror-told.ts';

const KILLS = Math.ceil(13 * testScale);
/** Files, each with a program at a time. */
const LANES = 2;
const PERSONS = 50;
const PIECES = 5;
const DAY_MS = 86_400_000;
const MAX_DELAY_MS = 5;
const MAX_PIECES = 4 * PIECES;

/** The day of a version of the lists: each request has another one, on another day. */
const dayOf = (version: number): string => new Date(Date.UTC(1980, 0, 2) + version * DAY_MS).toISOString().slice(0, 10);

interface SlowService {
  readonly url: string;
  /** Resolves when it has sent this many more pieces. */
  afterPieces(count: number): Promise<void>;
}

/** A service whose lists come slowly. Every element has the version of its list. */
async function startService(): Promise<SlowService> {
  let version = 0;
  let pieces = 0;
  let onPiece: (() => void) | undefined;
  async function respond(response: ServerResponse, isPersons: boolean): Promise<void> {
    version++;
    const head = { 'content-type': 'application/json', date: new Date(`${dayOf(version)}T12:00:00Z`).toUTCString() };
    response.writeHead(200, head).write('[');
    for (let index = 0; index < PERSONS; index++) {
      const id = `p${index}`;
      const days = [{ date: '2026-01-31', targetTime: version }];
      const element = isPersons ? { id, employeeNumber: `${version}` } : { personId: id, days };
      response.write((index === 0 ? '' : ',') + JSON.stringify(element));
      if (index % (PERSONS / PIECES) !== 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- piece by piece
      await delay(1);
      pieces--;
      onPiece?.();
    }
    response.end(']');
  }
  const server = createServer(
    (request, response) => void respond(response, request.url?.includes('/persons') ?? false),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    afterPieces(count) {
      pieces = count;
      return new Promise((resolve) => {
        onPiece = () => {
          if (pieces <= 0) resolve();
        };
      });
    },
  };
}

/** Expects that the rows are those of one list, with the cursor of that list. Returns its version. */
function expectConsistent(file: string): number {
  using mirror = openMirror({ file, source: 'killed' });
  const [persons, bookings] = mirror.status();
  const versions = {
    persons: Array.from(mirror.persons(), ({ employeeNumber }) => Number(employeeNumber)),
    bookings: Array.from(mirror.bookings(), ({ days }) => days[0]?.targetTime ?? 0),
  };
  let last = 0;
  for (const [status, all] of [
    [persons, versions.persons],
    [bookings, versions.bookings],
  ] as const) {
    const [version] = all;
    expect(all).toEqual(version === undefined ? [] : Array.from({ length: PERSONS }, () => version));
    expect(status?.cursor).toBe(version === undefined ? undefined : dayOf(version - 1));
    last = Math.max(last, version ?? 0);
  }
  // No sync has failed: the killed ones did not happen.
  expect(mirror.runs().filter(({ error }) => error !== undefined)).toEqual([]);
  return last;
}

test(`a sync killed at any moment, ${KILLS} times, has happened as a whole or not at all`, async () => {
  const folder = dirname(newFile());
  const program = await bundleProgram(new URL('mirror-sync-forever.ts', import.meta.url), folder);
  let kills = 0;
  const versions = new Set<number>();

  async function killInTurn(lane: number): Promise<void> {
    const file = join(folder, `${lane}.db`);
    const service = await startService();
    while (kills++ < KILLS) {
      // Now and then the file is new, and the program is killed as it starts.
      const isNew = Math.random() < 0.1;
      if (isNew) for (const suffix of ['', '-wal', '-shm', '.changes']) rmSync(file + suffix, { force: true });
      const child = spawn(process.execPath, [program, file, service.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(child, 'exit');
      // oxlint-disable no-await-in-loop -- one kill after the other
      await (isNew ? once(child.stdout, 'data') : service.afterPieces(Math.ceil(Math.random() * MAX_PIECES)));
      await delay(Math.random() * MAX_DELAY_MS);
      child.kill('SIGKILL');
      expect(await exit).toEqual([null, 'SIGKILL']);
      // oxlint-enable no-await-in-loop
      versions.add(expectConsistent(file));
    }
    // The consumer has received every change, at least once and in order.
    using mirror = openMirror({ file, source: 'killed' });
    await appendChanges(mirror, `${file}.changes`);
    expect(lastValues(`${file}.changes`)).toEqual(valuesOf(mirror));
  }
  await Promise.all(Array.from({ length: LANES }, (_, lane) => killInTurn(lane)));
  // They were killed at different moments.
  expect(versions.size).toBeGreaterThan(KILLS / 10);
});
