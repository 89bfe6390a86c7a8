import { once } from 'node:events';
import { Client, Pool } from 'pg';
import type { ClientConfig } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pageStatement } from './list-pages.ts';
import type { Page, PageRequest } from './list-pages.ts';
import { withConnection } from './with-connection.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5000;
const LOCK_TIMEOUT_MS = 3000;
/** A page reads on until it is full, so a filter that leaves few of very many rows takes its time. */
const PAGE_TIMEOUT_MS = 20_000;
/** Whoever reads the list is sent away a little later. */
const ANSWER_TIMEOUT_MS = 25_000;

/** Waiting for a connection has no end, as its turn will come; only connecting has. */
class PageClient extends Client {
  constructor(settings?: ClientConfig) {
    super({ ...settings, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/** The connections on which pages of lists are read, each for one page, in turn. */
export function pageConnections(connectionString: string): Pool {
  return new Pool({
    connectionString,
    keepAlive: true,
    max: CONNECTIONS,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: PAGE_TIMEOUT_MS,
    Client: PageClient,
  });
}

/** Reads a page by COPY, whose bytes need no decoding. */
export function copyPage(connections: Pool, request: PageRequest): Promise<Page> {
  return withConnection(connections, ANSWER_TIMEOUT_MS, async (client, signal) => {
    const copying = client.query(copyTo(copyStatement(request)));
    // A connection that breaks behind the last row tells this, too, to whom nobody listens any more.
    copying.on('error', () => {});
    // The rows end before the server says that they were all, and how many.
    const [chunks] = await Promise.all([copying.toArray({ signal }), once(client, 'drain', { signal })]);
    return { ...cutKey(chunks as Buffer[]), elements: copying.rowCount };
  });
}

/** Occurs in no JSON text, and neither does the quote or the delimiter. */
const END_OF_TEXT = 3;
const format = String.raw`format csv, quote e'\x01', delimiter e'\x02'`;

/** Behind the last of as many rows as were asked for comes its key. */
function copyStatement(request: PageRequest): string {
  const isLast = `row_number() over (order by key) = ${request.rows}`;
  const key = `case when ${isLast} then chr(${END_OF_TEXT}) || to_json(key::text) else '' end`;
  return `copy (${pageStatement(`',' || element || ${key}`, request)}) to stdout (${format})`;
}

/** Cuts the key off. */
export function cutKey(chunks: readonly Buffer[]): Pick<Page, 'chunks' | 'last'> {
  const at = chunks.findLastIndex((chunk) => chunk.includes(END_OF_TEXT));
  if (at < 0) return { chunks, last: undefined };
  const tail = Buffer.concat(chunks.slice(at));
  const end = tail.indexOf(END_OF_TEXT);
  return {
    chunks: [...chunks.slice(0, at), tail.subarray(0, end)],
    last: JSON.parse(tail.toString('utf8', end + 1)) as string,
  };
}
