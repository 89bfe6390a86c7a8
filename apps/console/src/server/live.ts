import { setTimeout as delay } from 'node:timers/promises';
import type { HrCloud } from './hr-cloud.ts';
import { problemOf } from './problem.ts';
import type { ProblemCode } from './problem.ts';

/** State of the local copy. */
export interface SyncHealth {
  readonly state: 'starting' | 'syncing' | 'current' | 'failed';
  /** When the console last knew that the copy is current, an ISO 8601 instant. */
  readonly currentAt: string | undefined;
  readonly problem: ProblemCode | undefined;
}

/** What the browser is told. */
export type LiveEvent =
  | { readonly type: 'changed'; readonly personIds: readonly string[] }
  | { readonly type: 'health'; readonly health: SyncHealth };

/** How often to ask for changes while somebody looks. */
const POLL_MS = 2000;
/** Changes are dated when they begin, so one that took this long still shows. */
const OVERLAP_MS = 5 * 60_000;
/** What the list of changes does not name, such as a file that is still being imported, shows after this time. */
const MAX_AGE_MS = 60_000;
/** The API lists absences per person, so they are read seldom. */
const ABSENCES_MAX_AGE_MS = 60 * 60_000;

/** Keeps the local copy current while somebody looks, and tells listeners what changed. */
export class Live implements AsyncDisposable {
  readonly #cloud: HrCloud;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #stop = new AbortController();
  readonly #seen = new Set<string>();
  #health: SyncHealth = { state: 'starting', currentAt: undefined, problem: undefined };
  #syncedAt = 0;
  #absences: Promise<void> | undefined;
  #since = Date.now();
  readonly #loop: Promise<void>;

  constructor(cloud: HrCloud) {
    this.#cloud = cloud;
    this.#loop = this.#run();
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
      if (this.#listeners.size > 0 || this.#health.state === 'starting') await this.#check();
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    // oxlint-enable no-await-in-loop
  }

  async #check(): Promise<void> {
    const now = Date.now();
    try {
      const since = new Date(this.#since - OVERLAP_MS).toISOString();
      const events = await this.#cloud.operator.auditEvents({ access: 'change', since });
      const fresh = events.filter(({ id }) => !this.#seen.has(id));
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
      this.#setHealth({ state: 'current', currentAt: new Date(now).toISOString(), problem: undefined });
      this.#syncAbsences();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#setHealth({ ...this.#health, state: 'failed', problem: problemOf(error).body.code });
    }
  }

  /** Reads absences in the background. */
  #syncAbsences(): void {
    const { syncedAt } = this.#cloud.mirror.status().find(({ collection }) => collection === 'absences') ?? {};
    if (this.#absences !== undefined || Date.now() - Date.parse(syncedAt ?? '1970-01-01') < ABSENCES_MAX_AGE_MS) return;
    this.#absences = this.#cloud
      .sync('absences')
      .then(() => this.announce())
      // The next check tries again, and reports what is wrong.
      .catch(() => undefined)
      .finally(() => (this.#absences = undefined));
  }

  #setHealth(health: SyncHealth): void {
    const isSame = health.state === this.#health.state && health.problem === this.#health.problem;
    this.#health = health;
    if (!isSame) this.#tell({ type: 'health', health });
  }

  #tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await this.#absences;
  }
}
