import type { Query } from '@hr/schemas';
import type { Since } from '../database/change-sets.ts';
import type { Database, Queries } from '../database/database.ts';
import type { TokenGrant } from './grant.ts';

/** Where a list of changes begins, as a request says it. */
export interface Start {
  readonly changedSince?: string | undefined;
  readonly after?: string | undefined;
}

/** Where lists of changes begin, and where the next ones go on. */
export interface ListStarts {
  /**
   * The change sets that a list of changes has, `undefined` for a whole list, and the cursor of the response. The list has
   * to be read after it.
   *
   * @throws {HttpProblem} `invalid-request` if the cursor is not one of this client, or `cursor-expired`.
   * @throws {ChangesExpiredError} as `changesSince`.
   */
  start(
    start: Start,
    reading: { readonly queries: Queries; readonly grant: TokenGrant; readonly timeZone: string },
  ): Promise<{ readonly since: Since | undefined; readonly cursor: string }>;
}

/** A request for changes, and the database on behalf of its client. */
export interface Waiting {
  readonly query: Query<'getChanges'>;
  readonly grant: TokenGrant;
  readonly database: Database;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** A part of a change set. */
export interface Touched {
  /** The fields of persons that it touched, `id` for persons who came or went, and names of other records; null is anything. */
  readonly touched: readonly string[] | null;
}

/** Lets requests wait for changes. */
export interface ChangeFeed {
  /**
   * What changed after a cursor, as soon as there is something that the client may see, or when the time has passed.
   *
   * @param visible the kinds of what change sets touched that the client may see
   * @throws {HttpProblem} as {@link ListStarts.start}, also when the grants of the client change meanwhile.
   */
  changes<Kind extends string>(
    waiting: Waiting,
    visible: (changes: readonly Touched[], grant: TokenGrant) => Kind[],
  ): Promise<{ readonly cursor: string; readonly changed: readonly Kind[] }>;
}
