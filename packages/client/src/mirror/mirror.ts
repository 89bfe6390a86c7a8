import type { System } from '@hr/schemas/rules';
import type { Absence, HrClient, Person, TimeBookingPerson } from '../hr-client.ts';
import type { BulkProgress } from '../bulk.ts';
import type { HrError, HrErrorCode } from '../hr-error.ts';
import type { MirrorError, MirrorErrorCode } from './mirror-error.ts';

declare global {
  // Merges with the interface of `lib`. Without that one `using` is unavailable, and all else compiles.
  interface Disposable {}
}

/** What a mirror holds. Each collection is synced by itself. */
export type Collection = 'persons' | 'bookings' | 'absences';

/** Options of `openMirror`. */
export interface MirrorOptions {
  /**
   * Path of the SQLite file. It is created with mode 0600, and refused if its group or others may read it. `:memory:`
   * keeps the copy in memory; its readers then see a sync that is in progress.
   */
  readonly file: string;
  /** What it is a copy of, such as base URL and client id. A file that is a copy of another source is refused. */
  readonly source: string;
}

/** Options of a sync. */
export interface SyncOptions {
  /**
   * Reads the complete list, and deletes the rows that it does not have. The first sync of a collection is always full,
   * and so is one if the service no longer knows what changed (410), or if the client may see something else now.
   *
   * @default false
   */
  readonly full?: boolean | undefined;
  /**
   * Reads the list and reports the changes, but stores nothing.
   *
   * @default false
   */
  readonly dryRun?: boolean | undefined;
  /**
   * Maximum share of the rows that a full sync may delete because the list does not have them, from 0 to 1. 1 allows
   * everything.
   *
   * @default 0.1
   */
  readonly maxShrink?: number | undefined;
  /**
   * Sends no request if the last sync that succeeded began at most this many seconds ago, such as that of another program.
   * A full sync and a dry run ignore it.
   *
   * @default 0
   */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Maximum time to wait for the sync of another program, in seconds. Then it rejects with `sync-running`.
   *
   * @default Infinity
   */
  readonly waitSeconds?: number | undefined;
  /** Aborts the sync. It rejects with an `HrError` with `code: 'aborted'`, and nothing is stored. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives how far it is, in elements of the list; for absences that are listed by person, in persons. These it reads as
   * `bulk` does, and this is its `onProgress`.
   */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** Options of `follow`: those of each sync, and more. */
export interface FollowOptions extends Pick<SyncOptions, 'maxShrink' | 'onProgress'> {
  /**
   * What to follow.
   *
   * @default ['persons', 'bookings']
   */
  readonly collections?: readonly Collection[] | undefined;
  /** Ends the iteration. A sync that is running stores nothing. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time between two syncs, in seconds, if the service does not tell its clients of changes.
   *
   * @default 60
   */
  readonly pollSeconds?: number | undefined;
  /** Receives each failure that can pass, such as a lost connection. It tries again after a pause of up to a minute. */
  readonly onFailure?: ((error: HrError | MirrorError) => void) | undefined;
}

/** Options of `changes`. */
export interface ChangesOptions {
  /** Name of the program that reads them. The mirror keeps the position of each consumer. */
  readonly consumer: string;
  /** Ends the waiting for a sync of another program. */
  readonly signal?: AbortSignal | undefined;
}

/** A change of a mirror. */
export type MirrorChange = MirrorRowChange | MirrorReset;

/**
 * All rows of a collection may be others: this consumer is new, was too far behind, or the mirror is. Read the whole
 * collection from the mirror.
 */
export interface MirrorReset {
  readonly kind: 'reset';
  readonly collection: Collection;
}

/** A row that a sync added, changed or deleted. */
export interface MirrorRowChange {
  /** `erased`: the service deleted all data of the person for good. */
  readonly kind: 'added' | 'changed' | 'deleted' | 'erased';
  readonly collection: Collection;
  readonly personId: string;
  /** The id of the person or the absence; for bookings `<personId>/<date>`. */
  readonly id: string;
  /** Names of the top-level fields that changed. Empty if the row is deleted. */
  readonly fields: readonly string[];
  /**
   * Of a `changed` person in `changes`: the values of these fields before, without those that had none. They are deleted
   * together with the person.
   */
  readonly before?: Readonly<Partial<Person>> | undefined;
}

/** Numbers of rows: persons, days of time bookings, or absences. */
export interface SyncCounts {
  readonly added: number;
  readonly changed: number;
  /** Received, and equal to the stored row. */
  readonly unchanged: number;
  readonly deleted: number;
  readonly erased: number;
}

/** What a sync did; with `dryRun`, what it would do. */
export interface SyncResult extends SyncCounts {
  readonly collection: Collection;
  readonly full: boolean;
  readonly dryRun: boolean;
  /** Whether the copy was at most `maxAgeSeconds` old, so that it read nothing. */
  readonly skipped: boolean;
  /** Of a dry run: the first 1000 changes. */
  readonly changes: readonly MirrorChange[];
  /**
   * The day from which the next sync reads changes, `YYYY-MM-DD`. Undefined if the service has cursors: then the next sync
   * goes on exactly where this one ended.
   */
  readonly cursor: string | undefined;
  readonly durationMs: number;
}

/** A sync in the past, unless it was a dry run. */
export interface SyncRun extends SyncCounts {
  readonly collection: Collection;
  readonly full: boolean;
  /** Start, an ISO 8601 instant. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Code of the error that ended it; then it stored nothing. */
  readonly error: MirrorErrorCode | HrErrorCode | 'unknown' | undefined;
}

/** State of a collection. */
export interface CollectionStatus {
  readonly collection: Collection;
  /** Number of persons, days of time bookings, or absences. */
  readonly rows: number;
  /**
   * The day from which the next sync reads changes, `YYYY-MM-DD`; undefined before the first sync, and if the service has
   * cursors.
   */
  readonly cursor: string | undefined;
  /** Start of the last sync that succeeded, an ISO 8601 instant. It differs from that of the sync before. */
  readonly syncedAt: string | undefined;
  /** Start of the last full sync that succeeded, an ISO 8601 instant. */
  readonly fullSyncedAt: string | undefined;
}

/** Where and when a field was last seen. */
export interface FieldSeen {
  /** Start of the sync that last received the field, an ISO 8601 instant. */
  readonly at: string;
  /** The system that owns the field. */
  readonly system: System;
}

/** A person, and when each of its fields was last seen. */
export interface MirroredPerson {
  readonly person: Person;
  readonly seen: Readonly<Record<string, FieldSeen>>;
}

/** Which persons to return: those to whom all given conditions apply. */
export interface PersonQuery {
  /**
   * Words. Each is the beginning of a word of the name, of the employee number or of the id. Case, accents and the
   * spelling of umlauts do not matter: `mueller`, `Muller` and `Müller` find Müller.
   */
  readonly name?: string | undefined;
  /** Id of a group. */
  readonly group?: string | undefined;
  /** Id of a payroll contract of one of the employments. */
  readonly contract?: string | undefined;
  /** Account status, such as `ACTIVE`. */
  readonly status?: string | undefined;
  /** Returns only persons with an id after this one, for pages. */
  readonly after?: string | undefined;
  /** Maximum number of persons. */
  readonly limit?: number | undefined;
}

/** Which time bookings or absences to return. */
export interface DayQuery {
  readonly personId?: string | undefined;
  /** First day, `YYYY-MM-DD`, inclusive. */
  readonly from?: string | undefined;
  /** Last day, `YYYY-MM-DD`, inclusive. */
  readonly to?: string | undefined;
}

/**
 * A local copy of persons, time bookings and absences, kept current by lists of changes.
 *
 * @sealed
 */
export interface Mirror extends Disposable {
  /**
   * Reads what changed since the last sync of a collection, or everything, and stores it. It stores all or nothing, also
   * when the process is killed. While another sync runs, it waits.
   *
   * A service without cursors lists absences by person only, so sync `persons` first. Other syncs may run until they are
   * read. A sync of absences that ended early keeps what it has read, and the next one within a day goes on. What changed
   * meanwhile comes with the one after it.
   *
   * @throws {MirrorError} `sync-running`, `list-too-short`, `cannot-write` or `invalid-option`.
   * @throws {HrError} if a call fails.
   */
  sync(hr: HrClient, collection: Collection, options?: SyncOptions): Promise<SyncResult>;
  /**
   * Keeps collections current, until the loop is left or `signal` aborts: it syncs them now, and again as soon as the
   * service says that they changed. It yields the result of each sync.
   *
   * @throws {MirrorError} as `sync`.
   * @throws {HrError} if a call fails for a reason that does not pass by itself.
   * @example
   * ```ts
   * for await (const { collection, changed } of mirror.follow(hr)) console.log(collection, changed);
   * ```
   */
  follow(hr: HrClient, options?: FollowOptions): AsyncGenerator<SyncResult, void, undefined>;
  /**
   * Returns what syncs changed since this consumer last read it, in order, and ends. Asking for the next change acknowledges
   * the one before. A change that was not acknowledged, such as by a program that was killed, is returned again. Begins with
   * a `reset` of each collection. The mirror keeps the last 100,000 changes of a collection for each consumer that it knows.
   *
   * @throws {MirrorError} `invalid-option` or `cannot-write`.
   * @example
   * ```ts
   * for await (const change of mirror.changes({ consumer: 'ldap' })) {
   *   if (change.kind === 'reset') console.log('Read all', change.collection);
   *   else console.log(change.kind, change.collection, change.id);
   * }
   * ```
   */
  changes(options: ChangesOptions): AsyncGenerator<MirrorChange, void, undefined>;
  /** Returns the state of each collection. */
  status(): readonly CollectionStatus[];
  /**
   * Returns past syncs, the newest first, including those that failed.
   *
   * @param limit - Maximum number. Default 20.
   */
  runs(limit?: number): readonly SyncRun[];
  /** Returns a person, and when each field was last seen. */
  person(id: string): MirroredPerson | undefined;
  /** Returns persons in the order of their ids (by code point), one after the other, in constant memory. */
  persons(query?: PersonQuery): IterableIterator<Person>;
  countPersons(query?: PersonQuery): number;
  /** Returns time bookings by person and day, in the order of ids and days. */
  bookings(query?: DayQuery): IterableIterator<TimeBookingPerson>;
  /** Returns absences by person, start and id. The days match as in section 4.6. */
  absences(query?: DayQuery): IterableIterator<Absence>;
  /**
   * Deletes everything and overwrites it in the file.
   *
   * @throws {MirrorError} `sync-running` or `in-use`.
   */
  purge(): void;
  /** Closes the file. Await running syncs first. */
  close(): void;
}
