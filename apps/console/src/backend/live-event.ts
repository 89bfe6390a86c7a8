import type { DraftList } from './drafts.ts';
import type { ChangeKind } from './operator-client.ts';
import type { ProblemCode } from './problem.ts';

/** What can change at the service, or in the console. */
export type EventKind = ChangeKind | 'labels';

/** Longest time between two events of the stream. */
export const HEARTBEAT_MS = 5000;

/** State of the local copy. */
export interface SyncHealth {
  readonly state: 'starting' | 'syncing' | 'current' | 'failed';
  /** When the console last knew that the copy is current, an ISO 8601 instant. */
  readonly currentAt: string | undefined;
  readonly problem: ProblemCode | undefined;
}

/** An event of the stream. */
export type LiveEvent =
  | {
      readonly type: 'changed';
      /** Empty if anything may have changed. */
      readonly kinds: readonly string[];
      /** Persons who changed, or whose bookings did; empty if anybody may have. Others may have changed, too. */
      readonly personIds: readonly string[];
    }
  /** What only the pages of one person receive: the drafts that they have. */
  | { readonly type: 'drafts'; readonly user: string; readonly drafts: DraftList }
  /** Its state, and that the console runs. */
  | { readonly type: 'health'; readonly health: SyncHealth };
