import { isAuthError } from '@hr/auth';
import { isHrError } from '@hr/client';
import { isMirrorError, type Collection, type MirrorRowChange, type SyncResult } from '@hr/client/mirror';
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

/**
 * Does a job, which changes until it has ended. It may take minutes, so nobody waits for it.
 *
 * @param anyShrink - Whether a full sync may delete any number of rows.
 */
export async function doJob(
  cloud: Pick<HrCloud, 'sync'>,
  collection: Collection,
  job: SyncJob,
  anyShrink = false,
): Promise<void> {
  const isDrift = job.action === 'drift';
  const set = (changes: Partial<SyncJob>): void => void Object.assign(job, changes);
  try {
    const { changes, ...counts } = await cloud.sync(collection, {
      full: job.action !== 'changes',
      dryRun: isDrift,
      ...((isDrift || anyShrink) && { maxShrink: 1 }),
      onProgress: ({ done, total }) => set({ done, total }),
    });
    const differences = changes.flatMap((change) =>
      isDrift && change.kind !== 'reset' && change.collection === collection ? change : [],
    );
    set({ result: { ...counts, differences: differences.slice(0, MAX_DIFFERENCES) } });
  } catch (error) {
    const isCoded = isMirrorError(error) || isHrError(error) || isAuthError(error);
    set({ error: isCoded ? error.code : 'unknown' });
  }
  set({ endedAt: new Date().toISOString() });
}
