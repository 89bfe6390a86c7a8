import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The parameters of every tool with pages. */
export const pageParameters = {
  cursor: z.string().describe('`nextCursor` of the previous page. Repeat the other arguments.').optional(),
  limit: z.int().gte(1).lte(MAX_LIMIT).describe(`Maximum number of rows of this page.`).default(DEFAULT_LIMIT),
};

/** The fields of every page. */
export const pageFields = {
  total: z.int().describe('Number of rows on all pages.'),
  nextCursor: z.string().describe('Pass it as `cursor` for the next page. Missing on the last page.').optional(),
};

/** Which page to return. */
export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface Page<Row> {
  readonly rows: Row[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** Cuts a page out of rows. A cursor is the key of the last row of a page, so pages stay correct when rows come or go. */
export function pageOf<Row>(
  rows: readonly Row[],
  { cursor, limit }: PageQuery,
  keyOf: (row: Row) => string,
): Page<Row> {
  const sorted = rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  const rest = cursor === undefined ? sorted : sorted.filter(({ key }) => key > cursor);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    total: rows.length,
    ...(last && rest.length > page.length && { nextCursor: last.key }),
  };
}

const BLOCK = 256;

/** Yields elements, and lets the process read a cancellation in between. */
export async function* interruptible<Element>(
  elements: Iterable<Element>,
  signal: AbortSignal,
): AsyncGenerator<Element, void, undefined> {
  let count = 0;
  for (const element of elements) {
    // oxlint-disable-next-line no-await-in-loop -- the wait is the point
    if (++count % BLOCK === 0) await setImmediate();
    signal.throwIfAborted();
    yield element;
  }
}
