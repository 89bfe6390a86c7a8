/**
 * A local copy of persons, time bookings and absences in a SQLite file. Needs Node.js 22.13 or newer.
 *
 * @packageDocumentation
 */
export type {
  Collection,
  CollectionStatus,
  DayQuery,
  FieldSeen,
  Mirror,
  MirrorChange,
  MirroredPerson,
  MirrorOptions,
  PersonQuery,
  SyncCounts,
  SyncOptions,
  SyncResult,
  SyncRun,
} from './mirror.ts';
export { isMirrorError, MirrorError } from './mirror-error.ts';
export type { MirrorErrorCode } from './mirror-error.ts';
export { openMirror } from './open-mirror.ts';
