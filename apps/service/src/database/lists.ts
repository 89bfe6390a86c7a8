import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Requester } from './database.ts';
import { DatabaseBusyError } from './database-errors.ts';
import type { JsonStream } from './json-answer.ts';
import type { List } from './list.ts';

export const MAX_OPEN_LISTS = 100;
/** So one client never takes the places of all others. */
export const MAX_OPEN_LISTS_OF_CLIENT = 10;

/** Where as many lists are open as allowed, a new one takes the place of one whose reader has stalled for this long. */
const STALLED_MS = 5000;

/** All lists together send so much before other requests get their turn in the event loop. */
const TURN_BYTES = 128 * 1024;

const OPENING_BRACKET = 0x5b;

/** Some elements of a list that follow each other. */
export interface Elements {
  /** Their JSON texts, with a comma and a line feed before each. */
  readonly bytes: Buffer;
  readonly count: number;
}

/**
 * Reads a list page by page, as fast as its elements are taken.
 *
 * @param signal ends it early
 * @param clientId takes turns with others, page by page
 */
export type ReadElements = (
  list: List,
  signal: AbortSignal,
  clientId?: string,
) => AsyncGenerator<Elements, void, undefined>;

/** Makes the `list` of a database from its way to read elements. */
export function listsOf(readElements: ReadElements): (list: List, reader?: Requester) => Promise<JsonStream> {
  const open = new Set<OpenList>();
  let budget = TURN_BYTES;

  async function nextChunk(chunks: AsyncGenerator<Buffer>): Promise<Buffer | null> {
    if (budget <= 0) {
      await setImmediate();
      budget = TURN_BYTES;
    }
    const { value } = (await chunks.next()) as IteratorResult<Buffer, undefined>;
    budget -= value?.length ?? 0;
    return value ?? null;
  }

  return async (source, reader) => {
    if (reader) {
      const ofClient = [...open].filter(({ clientId }) => clientId === reader.clientId);
      makeRoom(ofClient, MAX_OPEN_LISTS_OF_CLIENT, 'this client');
    }
    makeRoom([...open], MAX_OPEN_LISTS, 'all clients');
    const list = { elements: 0 };
    const ending = new AbortController();
    const chunks = array(readElements(source, ending.signal, reader?.clientId), list, reader);
    const json = new Readable({
      // It buffers nothing itself: a chunk is read when the reader has room for it.
      highWaterMark: 0,
      read() {
        place.readAt = performance.now();
        nextChunk(chunks).then(
          (chunk) => this.push(chunk),
          (error: unknown) => this.destroy(error as Error),
        );
      },
      destroy(fault, done) {
        ending.abort();
        // A list counts as open until it holds nothing of the database.
        void chunks
          .return(undefined)
          .catch(() => {})
          .finally(() => done(fault));
      },
    });
    const place: OpenList = { json, clientId: reader?.clientId, readAt: performance.now() };
    open.add(place);
    return Object.assign(list, { json: json.once('close', () => open.delete(place)) });
  };

  /** Where as many of the lists are open as allowed, ends the one whose reader has stalled for the longest time. */
  function makeRoom(lists: readonly OpenList[], max: number, readers: 'all clients' | 'this client'): void {
    if (lists.length < max) return;
    const [longest] = lists.toSorted((one, other) => one.readAt - other.readAt);
    const busy = new DatabaseBusyError(max, readers);
    if (!longest || performance.now() - longest.readAt < STALLED_MS) throw busy;
    open.delete(longest);
    longest.json.destroy(busy);
  }
}

async function* array(
  elements: AsyncGenerator<Elements>,
  list: { elements: number },
  reader: Requester | undefined,
): AsyncGenerator<Buffer> {
  for await (const { bytes, count } of elements) {
    await reader?.checkAccess?.();
    const isFirst = list.elements === 0;
    list.elements += count;
    // The bracket takes the place of the line feed.
    if (isFirst) bytes[1] = OPENING_BRACKET;
    yield isFirst ? bytes.subarray(1) : bytes;
  }
  yield Buffer.from(list.elements === 0 ? '[]' : '\n]');
}

interface OpenList {
  readonly json: Readable;
  readonly clientId: string | undefined;
  /** When its reader last asked for more. */
  readAt: number;
}
