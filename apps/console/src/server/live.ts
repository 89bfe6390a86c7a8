import { setTimeout as delay } from 'node:timers/promises';
import type { HrCloud } from './hr-cloud.ts';
import { problemOf, type ProblemCode } from './problem.ts';

/** State of the local copy. */
export interface SyncHealth {
  readonly state: 'starting' | 'syncing' | 'current' | 'failed';
  /** When the console last knew that the copy is current, an ISO 8601 instant. */
  readonly currentAt: string | undefined;
  readonly problem: ProblemCode | undefined;
  readonly absences: AbsencesHealth;
}

/** How the reading of absences goes. It takes a request for each person. */
interface AbsencesHealth {
  /** Numbers of persons, while absences are being read. */
  readonly reading?: { readonly done: number; readonly total: number };
  /** Why the last attempt failed. */
  readonly problem?: ProblemCode;
}

/** An event of the stream. */
export type LiveEvent =
  | { readonly type: 'changed'; readonly personIds: readonly string[] }
  | { readonly type: 'health'; readonly health: SyncHealth };

/** How often to ask for changes while somebody looks. */
const POLL_MS = 2000;
/** Changes are dated when they begin, so one that took this long still shows. */
const OVERLAP_MS = 5 * 60_000;
/** A long import makes many events. The newest are enough to know that something changed. */
const MAX_EVENTS = '1000';
/** What the list of changes does not name, such as a file that is still being imported, shows after this time. */
const MAX_AGE_MS = 60_000;
/** The API lists absences per person, so they are read seldom. */
const ABSENCES_MAX_AGE_MS = 60 * 60_000;
const ABSENCES_RETRY_MS = 60_000;
const PROGRESS_MS = 500;

/** Tokens are issued and revoked all the time, which changes no data. */
function isOfToken(operation: string): boolean {
  return operation === 'requestToken' || operation === 'revokeToken';
}

/** Keeps the local copy current while somebody looks, and tells listeners what changed. */
export class Live implements Disposable {
  readonly #cloud: HrCloud;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #stop = new AbortController();
  readonly #seen = new Set<string>();
  #health: SyncHealth = { state: 'starting', currentAt: undefined, problem: undefined, absences: {} };
  #syncedAt = 0;
  #isReadingAbsences = false;
  #triedAbsencesAt = 0;
  #since = Date.now();

  constructor(cloud: HrCloud) {
    this.#cloud = cloud;
    void this.#run();
  }

  get health(): SyncHealth {
    return this.#health;
  }

  /** Receives events until the returned function is called. */
  subscribe(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells listeners of a change that the console itself made. */
  announce(...personIds: readonly string[]): void {
    this.#tell({ type: 'changed', personIds });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    // oxlint-disable no-await-in-loop -- one check after the other
    while (!signal.aborted) {
      if (this.#listeners.size > 0 || this.#health.currentAt === undefined) await this.#check();
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    // oxlint-enable no-await-in-loop
  }

  async #check(): Promise<void> {
    const now = Date.now();
    try {
      const since = new Date(this.#since - OVERLAP_MS).toISOString();
      const events = await this.#cloud.operator.auditEvents({ access: 'change', since, last: MAX_EVENTS });
      const fresh = events.filter(({ id, operation }) => !this.#seen.has(id) && !isOfToken(operation));
      if (fresh.length > 0 || now - this.#syncedAt > MAX_AGE_MS) {
        if (this.#health.state !== 'syncing') this.#setHealth({ ...this.#health, state: 'syncing' });
        await this.#cloud.sync('persons');
        await this.#cloud.sync('bookings');
        this.#syncedAt = now;
        this.#tell({ type: 'changed', personIds: fresh.flatMap(({ personId }) => personId ?? []) });
      }
      this.#since = now;
      this.#seen.clear();
      for (const { id } of events) this.#seen.add(id);
      this.#setHealth({
        ...this.#health,
        state: 'current',
        currentAt: new Date(now).toISOString(),
        problem: undefined,
      });
      this.#syncAbsences();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#setHealth({ ...this.#health, state: 'failed', problem: problemOf(error).body.code });
    }
  }

  #syncAbsences(): void {
    const { syncedAt } = this.#cloud.mirror.status().find(({ collection }) => collection === 'absences') ?? {};
    const isOld = Date.now() - Date.parse(syncedAt ?? '1970-01-01') > ABSENCES_MAX_AGE_MS;
    if (isOld && Date.now() - this.#triedAbsencesAt > ABSENCES_RETRY_MS) void this.readAbsences();
  }

  /** Reads absences, unless they are being read. What is wrong is part of the state. */
  async readAbsences(): Promise<void> {
    if (this.#isReadingAbsences) return;
    this.#isReadingAbsences = true;
    this.#triedAbsencesAt = Date.now();
    const total = this.#cloud.mirror.countPersons();
    let reportedAt = 0;
    const onProgress = (done: number): void => {
      if (Date.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = Date.now();
      this.#setHealth({ ...this.#health, absences: { reading: { done, total } } });
    };
    try {
      onProgress(0);
      await this.#cloud.sync('absences', { onProgress });
      this.#setHealth({ ...this.#health, absences: {} });
      this.announce();
    } catch (error) {
      this.#setHealth({ ...this.#health, absences: { problem: problemOf(error).body.code } });
    } finally {
      this.#isReadingAbsences = false;
    }
  }

  #setHealth(health: SyncHealth): void {
    const { state, problem, absences } = this.#health;
    const isSame = health.state === state && health.problem === problem && health.absences === absences;
    this.#health = health;
    if (!isSame) this.#tell({ type: 'health', health });
  }

  #tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** A check in progress ends with the connection to the service. */
  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
