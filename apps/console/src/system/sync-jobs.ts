import { isAuthError } from '@hr/auth';
import { isHrError } from '@hr/client';
import { isMirrorError, type Collection, type MirrorRowChange, type SyncResult } from '@hr/client/mirror';
import { Problem } from '../backend/problem.ts';
import type { HrCloud } from '../backend/hr-cloud.ts';

/** `drift` compares the local copy with the service, and stores nothing. */
export const syncActions = ['changes', 'drift', 'full'] as const;
export type SyncAction = (typeof syncActions)[number];

/** What an operator had the console do with a collection last. */
export interface SyncJob {
  readonly action: SyncAction;
  /** In rows; in persons for absences that the service lists by person. */
  readonly done: number;
  /** If it is known. */
  readonly total: number | undefined;
  /** When it ended, an ISO 8601 instant; undefined while it runs. */
  readonly endedAt?: string;
  readonly result?: SyncCounts;
  /** The code of the error. */
  readonly error?: string;
}

/** What was changed, or would be. It contains ids and names of fields, but no values. */
export interface SyncCounts extends Pick<SyncResult, 'added' | 'changed' | 'deleted' | 'erased' | 'unchanged'> {
  /** The first ones, if they were asked for. */
  readonly differences: readonly MirrorRowChange[];
}

const MAX_DIFFERENCES = 200;

/** Syncs that operators began. They may take minutes, so nobody waits for a response. */
export class SyncJobs {
  readonly #cloud: HrCloud;
  readonly #onEnd: () => void;
  readonly #jobs = new Map<Collection, SyncJob>();

  constructor(cloud: HrCloud, onEnd: () => void) {
    this.#cloud = cloud;
    this.#onEnd = onEnd;
  }

  /** The last job of each collection. */
  get jobs(): Readonly<Partial<Record<Collection, SyncJob>>> {
    return Object.fromEntries(this.#jobs);
  }

  /**
   * @param anyShrink - Whether a full sync may delete any number of rows.
   * @throws {Problem} `conflict` while another job of the collection runs.
   */
  start(collection: Collection, action: SyncAction, anyShrink = false): void {
    const last = this.#jobs.get(collection);
    if (last && last.endedAt === undefined) throw new Problem('conflict', 'Another sync of the collection runs.');
    this.#jobs.set(collection, { action, done: 0, total: undefined });
    void this.#run(collection, action, anyShrink);
  }

  async #run(collection: Collection, action: SyncAction, anyShrink: boolean): Promise<void> {
    const end = await this.#sync(collection, action, anyShrink);
    const { done, total } = this.#jobs.get(collection) ?? { done: 0, total: undefined };
    this.#jobs.set(collection, { action, done, total, endedAt: new Date().toISOString(), ...end });
    this.#onEnd();
  }

  async #sync(
    collection: Collection,
    action: SyncAction,
    anyShrink: boolean,
  ): Promise<Pick<SyncJob, 'result' | 'error'>> {
    const isDrift = action === 'drift';
    try {
      const { changes, added, changed, deleted, erased, unchanged } = await this.#cloud.sync(collection, {
        full: action !== 'changes',
        dryRun: isDrift,
        ...((isDrift || anyShrink) && { maxShrink: 1 }),
        onProgress: ({ done, total }) => this.#jobs.set(collection, { action, done, total }),
      });
      const differences = changes.flatMap((change) =>
        isDrift && change.kind !== 'reset' && change.collection === collection ? change : [],
      );
      return {
        result: { added, changed, deleted, erased, unchanged, differences: differences.slice(0, MAX_DIFFERENCES) },
      };
    } catch (error) {
      const isCoded = isMirrorError(error) || isHrError(error) || isAuthError(error);
      return { error: isCoded ? error.code : 'unknown' };
    }
  }
}
