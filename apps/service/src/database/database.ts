import type { JsonStream } from './json-answer.ts';
import type { List } from './list.ts';

/** Runs statements, alone or inside a transaction. */
export interface Queries {
  /** Runs one statement with its values `$1`, `$2` … beside it; a text without values may hold several statements. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Whom statements run for. */
export interface Requester {
  /** Default: the service itself, which waits for no client. */
  readonly clientId?: string | undefined;
  /** Aborted when nobody waits for the result any more: what has not begun by then does not begin. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects when it may read no further, which ends a list. Called before each part of the list. */
  checkAccess?(): Promise<void>;
}

/**
 * What the service needs of a database; PGlite and PostgreSQL both give it. Clients use its connections in turns, see
 * `Admission`; statements without a requester run for the service itself.
 */
export interface Database extends Queries {
  /** Whether nothing else runs during a transaction. */
  readonly isSerial: boolean;
  /** As {@link Queries.query}. A statement of a requester has five seconds, including the wait for its turn. */
  query<Row>(text: string, values?: readonly unknown[], requester?: Requester): Promise<Row[]>;
  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, nothing of it when it rejects.
   * A statement that takes longer than a request can wait is ended, unless the transaction is said to be `long`. A
   * transaction in conflict with others (a deadlock) is rolled back and `work` called again, unless it is `long`.
   * A process runs one `long` transaction after the other. What `work` throws comes out unchanged.
   *
   * @throws {DatabaseUnavailableError} with `mayBeStored` where it is unknown which of the two it is.
   */
  transaction<Result>(
    work: (transaction: Queries) => Promise<Result>,
    options?: { readonly long?: boolean; readonly requester?: Requester },
  ): Promise<Result>;
  /** Adds all of these rows, or none; many of them cost half as much as by a statement. */
  copy(rows: CopiedRows): Promise<void>;
  /**
   * A list of any length as a stream of a JSON array, in constant memory and without JSON work. Each chunk has whole
   * elements, with what is before them. A fault destroys the stream and never closes the array.
   *
   * It is read in pages, each at its own moment, and holds nothing in between. An element is as it was when its page was
   * read. What exists from the first page to the last is there exactly once, as keys never change; what comes or goes
   * meanwhile may be there.
   *
   * @throws {DatabaseBusyError} when as many lists are being read as may be at a time, of the reader or at all.
   */
  list(list: List, requester?: Requester): Promise<JsonStream>;
  /**
   * Calls a listener soon after this process, or another one, has committed a transaction. It may miss some of others.
   *
   * @returns a function that ends it
   */
  onCommit(listener: () => void): () => void;
  /** Makes the room of rows that were replaced free again, where the database does not do so by itself. */
  vacuum(): Promise<void>;
  /**
   * Looks whether the database can read and write now; requests do not delay it.
   *
   * @throws {DatabaseUnavailableError} which says why not.
   */
  check(): Promise<void>;
  /** How busy its connections are, by what they are for; the embedded database has none. */
  pools(): Readonly<Partial<Record<'requests' | 'lists' | 'replica', PoolState>>>;
  close(): Promise<void>;
}

/** Rows for one table, each with a value for each column, as text; `undefined` is null. */
export interface CopiedRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/** The connections of a pool, those of them that rest, and how many wait for one. */
export interface PoolState {
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
}
