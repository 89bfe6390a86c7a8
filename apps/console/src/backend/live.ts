import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isHrError } from '@hr/client';
import type { HrCloud } from './hr-cloud.ts';
import { changeKinds } from './operator-client.ts';
import type { EventKind, LiveEvent, SyncHealth } from './live-event.ts';
import { problemOf } from './problem.ts';

/** The service responds earlier if something changes. */
const WAIT_SECONDS = 25;
const RETRY_MS = 2000;
/** Changes that follow one another this soon are read together: for each reading, pages read their screens again. */
const PAUSE_MS = 1000;

const collections = [
  ['persons', 'persons'],
  ['timeBookings', 'bookings'],
  ['absences', 'absences'],
] as const;

/** Keeps the local copy current while somebody looks, and tells listeners what changed. */
export class Live implements Disposable {
  readonly #cloud: HrCloud;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #stop = new AbortController();
  #health: SyncHealth = { state: 'starting', currentAt: undefined, problem: undefined };
  #cursor: string | undefined;
  /** What changed, and was not told yet. */
  #due: ReadonlySet<string> = new Set(changeKinds);
  #wake: () => void = () => undefined;

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
    this.#wake();
    return () => this.#listeners.delete(listener);
  }

  /** Tells listeners of a change that only the console knows, such as of its record. By default of anything. */
  announce(...kinds: readonly EventKind[]): void {
    this.tell({ type: 'changed', kinds, personIds: [] });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let wait = 0;
    // oxlint-disable no-await-in-loop -- one check after the other
    while (!signal.aborted) {
      try {
        await this.#check(wait);
        wait = WAIT_SECONDS;
      } catch (error) {
        if (signal.aborted) return;
        this.#setHealth({ ...this.#health, state: 'failed', problem: problemOf(error).body.code });
        wait = 0;
      }
      await delay(wait === 0 ? RETRY_MS : PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (this.#listeners.size > 0 || this.#health.currentAt === undefined) continue;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      wait = 0;
    }
    // oxlint-enable no-await-in-loop
  }

  /** Waits for changes, and reads them. What comes after the cursor is heard by the next check. */
  async #check(wait: number): Promise<void> {
    const { cursor, changed } = await this.#cloud.operator.changes(this.#cursor, wait, this.#stop.signal);
    this.#cursor = cursor;
    this.#due = new Set(cursor === undefined ? changeKinds : [...this.#due, ...changed]);
    if (cursor === undefined) return await this.#check(0);
    if (this.#due.size > 0) await this.#refresh();
    this.#setHealth({ state: 'current', currentAt: new Date().toISOString(), problem: undefined });
  }

  /** Reads what is due, and tells of it. What cannot be read stays due. */
  async #refresh(): Promise<void> {
    this.#setHealth({ ...this.#health, state: 'syncing' });
    const personIds = new Set<string>();
    const failures = new Map<string, unknown>();
    for (const [kind, collection] of collections) {
      // With other grants, the client of the console sees something else.
      if (!this.#due.has(kind) && !this.#due.has('clients')) continue;
      // oxlint-disable-next-line no-await-in-loop -- one sync after the other
      await this.#cloud.sync(collection).catch((error: unknown) => {
        // The client of the console may not read it, which its run says.
        if (!isHrError(error) || error.code !== 'forbidden') failures.set(kind, error);
      });
    }
    let isAnyone = false;
    for await (const change of this.#cloud.mirror.changes({ consumer: 'console', signal: this.#stop.signal })) {
      if (change.kind === 'reset') isAnyone = true;
      else if (change.collection !== 'absences') personIds.add(change.personId);
    }
    const kinds = [...this.#due].filter((kind) => !failures.has(kind));
    this.#due = new Set(failures.keys());
    if (kinds.length > 0) {
      this.tell({ type: 'changed', kinds, personIds: isAnyone ? [] : [...personIds] });
    }
    for (const failure of failures.values()) throw failure;
  }

  #setHealth(health: SyncHealth): void {
    const isNew = !isDeepStrictEqual(health, this.#health);
    this.#health = health;
    if (isNew) this.tell({ type: 'health', health });
  }

  /** Tells listeners of an event. */
  tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#wake();
  }
}
