import { Readable } from 'node:stream';
import { escapeLiteral } from 'pg';
import { DatabaseBusyError } from './database-errors.ts';
import type { JsonStream } from './json-answer.ts';
import type { ListQuery } from './list-query.ts';

/** Each holds at most two pages: one that is being sent, and one that is read ahead. */
export const LISTS_AT_A_TIME = 100;

/** A reader who takes nothing for so long makes room for another one where all places are taken. */
const STANDING_STILL_MS = 5000;

/** The first page tells how large the elements are; from then on a page has about so many bytes. */
const FIRST_ROWS = 100;
const PAGE_BYTES = 256 * 1024;
const MOST_ROWS = 5000;
const FASTEST_GROWTH = 4;

/** Which part of a list a page is. */
export interface PageRequest {
  readonly query: ListQuery;
  /** The key behind which the page begins; the first has none. */
  readonly after: string | undefined;
  /** How many elements it has at most. */
  readonly rows: number;
}

export interface Page {
  /** Its elements, each with a comma before it. In pieces: to put large buffers together costs more than all else. */
  readonly chunks: readonly Buffer[];
  readonly elements: number;
  /** The key of its last element, where it has as many as were asked for. */
  readonly last: string | undefined;
}

/**
 * Makes the `list` of a database from how it reads a page. One page is read ahead of the reader, and nothing of the
 * database is held in between, so that a slow reader is in nobody's way.
 */
export function listPages(readPage: (page: PageRequest) => Promise<Page>): (query: ListQuery) => Promise<JsonStream> {
  const open = new Set<OpenList>();

  async function* array(query: ListQuery, list: { elements: number }): AsyncGenerator<Buffer> {
    let rows = FIRST_ROWS;
    let ahead = readPage({ query, after: undefined, rows });
    try {
      for (let more = true; more;) {
        // Each page starts where the one before ended.
        // oxlint-disable-next-line no-await-in-loop
        const page = await ahead;
        more = page.last !== undefined;
        if (more) {
          rows = nextRows(page);
          ahead = readPage({ query, after: page.last, rows });
          // It fails when its turn comes.
          ahead.catch(() => {});
        }
        // The comma before the first element gives way to the bracket.
        if (list.elements === 0) page.chunks[0]?.fill('[', 0, 1);
        list.elements += page.elements;
        yield* page.chunks;
      }
      yield Buffer.from(list.elements === 0 ? '[]' : ']');
    } finally {
      // A list counts as open until nothing of it is under way.
      await ahead.catch(() => {});
    }
  }

  return async (query) => {
    if (open.size >= LISTS_AT_A_TIME) makeRoom(open);
    const list = { elements: 0 };
    const chunks = array(query, list);
    const json = new Readable({
      // It keeps nothing itself: a chunk is taken when the reader has room for it.
      highWaterMark: 0,
      read() {
        place.readAt = performance.now();
        chunks.next().then(
          ({ value }) => this.push(value ?? null),
          (error: unknown) => this.destroy(error as Error),
        );
      },
      destroy(fault, done) {
        void chunks.return(undefined).finally(() => done(fault));
      },
    });
    const place: OpenList = { json, readAt: performance.now() };
    open.add(place);
    return Object.assign(list, { json: json.once('close', () => open.delete(place)) });
  };
}

interface OpenList {
  readonly json: Readable;
  /** When its reader asked for more the last time. */
  readAt: number;
}

/** Ends the list whose reader has stood still the longest, where he has for a while. */
function makeRoom(open: Set<OpenList>): void {
  const [longest] = [...open].toSorted((one, other) => one.readAt - other.readAt);
  const busy = new DatabaseBusyError(LISTS_AT_A_TIME);
  if (!longest || performance.now() - longest.readAt < STANDING_STILL_MS) throw busy;
  open.delete(longest);
  longest.json.destroy(busy);
}

function nextRows({ elements, chunks }: Page): number {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const fitting = Math.round(elements * Math.min(FASTEST_GROWTH, PAGE_BYTES / bytes));
  return Math.max(1, Math.min(fitting, MOST_ROWS));
}

/** The rows of a page, with columns of `key` and `element`. */
export function pageStatement(columns: string, { query, after, rows }: PageRequest): string {
  const behind = after === undefined ? '' : `where key > ${escapeLiteral(after)}`;
  // Each list is cut by itself: of two together, all would be read and sorted for every page.
  const pages = [query, ...(query.among ?? [])].map(
    ({ text }) => `(select key, element from (${text}) as list ${behind} order by key limit ${rows})`,
  );
  return `select ${columns} from (${pages.join(' union all ')}) as page order by key limit ${rows}`;
}
