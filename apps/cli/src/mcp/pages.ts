import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { fitted, modelText, tokensOf } from './fitted.ts';
import { ToolError, type ToolCall } from './tool.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** The parameters of every tool with pages. */
export const pageParameters = {
  cursor: z.string().describe('`nextCursor` of the previous page. Repeat the other arguments.').optional(),
  limit: z.int().gte(0).lte(MAX_LIMIT).describe('Maximum number of rows. 0 only counts.').default(DEFAULT_LIMIT),
};

/** Which page to return. */
export type PageQuery = z.output<z.ZodObject<typeof pageParameters>>;

/** A list, of which a tool returns a page. */
interface List<Row> {
  /** What comes before the rows. */
  readonly head: object;
  /** What the rows are. */
  readonly name: string;
  /** An array is sorted by its keys. Other rows are in that order already, by code points. */
  readonly rows: readonly Row[] | AsyncIterable<Row>;
  /** The key of a row, which no other row has. */
  readonly keyOf?: (row: Row) => string;
  /** What the model sees of a row. */
  readonly view?: (row: Row) => object;
  /** The person of a row, for the log. */
  readonly personOf?: (row: Row) => string;
}

/** What comes before the rows gets at most this share of the tokens. */
const HEAD_SHARE = 0.5;
/** A longer cursor would take the room of rows. */
const MAX_CURSOR_LENGTH = 100;
const CUT = 'Texts and lists that end with … are cut. The user can read them by hr, or raise --max-tokens of hr mcp.';

/**
 * Cuts a page out of a list, within its limits of rows and tokens. A cursor is the key of the last row of a page, so
 * pages stay correct when rows come or go; without keys, it is the position of the row. A page has at least one row,
 * however long, so all pages together are the list.
 */
export async function pageOf<Row>(
  call: ToolCall,
  { cursor, limit }: PageQuery,
  { head: wholeHead, name, rows, keyOf = () => '', view = (row) => row as object, personOf }: List<Row>,
): Promise<object> {
  const early = `The page ends early to stay within ${call.maxTokens} tokens. Pass nextCursor as cursor for more rows, or ask for less where the tool can: a filter, groupBy, limit 0.`;
  const head = fitted(wholeHead, call.maxTokens * HEAD_SHARE);
  const longest = { ...head, total: Number.MAX_SAFE_INTEGER, nextCursor: '', leftOut: [early, CUT], [name]: [] };
  let room = call.maxTokens - tokensOf(modelText(longest));
  const leftOut = new Set(head === wholeHead ? [] : [CUT]);
  const page: object[] = [];
  const personIds = new Set<string>();
  const isAfter = afterCursor(cursor);
  let total = 0;
  let nextCursor = '';
  let isFull = limit === 0;
  let hasMore = false;
  const sorted =
    Symbol.asyncIterator in rows ? rows : rows.toSorted((one, other) => compareKeys(keyOf(one), keyOf(other)));
  for await (const row of sorted) {
    const key = keyOf(row);
    if (!isAfter(key, ++total)) continue;
    hasMore ||= isFull;
    if (isFull) continue;
    const text = String(new URLSearchParams({ after: key }));
    const place = key !== '' && text.length <= MAX_CURSOR_LENGTH ? text : `row=${total}`;
    const left = room - tokensOf(place);
    const whole = view(row);
    const shown = page.length === 0 ? fitted(whole, left - 1) : whole;
    const tokens = tokensOf(`${modelText(shown)},`);
    if (tokens > left && page.length > 0) {
      leftOut.add(early);
      hasMore = isFull = true;
      continue;
    }
    if (shown !== whole) leftOut.add(CUT);
    page.push(shown);
    if (personOf) personIds.add(personOf(row));
    room -= tokens;
    nextCursor = place;
    isFull = page.length === limit;
  }
  call.note({ ...(personOf && { personIds: [...personIds] }), counts: { [name]: page.length, total } });
  return {
    ...head,
    total,
    ...(hasMore && limit > 0 && { nextCursor }),
    ...(leftOut.size > 0 && { leftOut: [...leftOut] }),
    [name]: page,
  };
}

/** Whether a row comes after the cursor. */
function afterCursor(cursor: string | undefined): (key: string, position: number) => boolean {
  if (cursor === undefined) return () => true;
  const given = new URLSearchParams(cursor);
  const row = Number(given.get('row'));
  if (row > 0) return (_key, position) => position > row;
  const after = given.get('after');
  if (after !== null) return (key) => compareKeys(key, after) > 0;
  throw new ToolError('invalid-arguments', '/cursor must be `nextCursor` of the previous page.');
}

/** Compares by code points, which is the order of bytes. */
export function compareKeys(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
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
