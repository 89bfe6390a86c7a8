/**
 * A local copy of persons, time bookings and absences, and a record of submitted payments, each in a SQLite file. Needs
 * Node.js 22.13 or newer.
 *
 * @packageDocumentation
 */
export type {
  ChangesOptions,
  Collection,
  CollectionStatus,
  DayQuery,
  FieldSeen,
  FollowOptions,
  Mirror,
  MirrorChange,
  MirroredPerson,
  MirrorOptions,
  MirrorReset,
  MirrorRowChange,
  PersonQuery,
  SyncCounts,
  SyncOptions,
  SyncResult,
  SyncRun,
} from './mirror.ts';
export { isMirrorError, MirrorError } from './mirror-error.ts';
export type { MirrorErrorCode } from './mirror-error.ts';
export { openMirror } from './open-mirror.ts';
export { openOutbox } from './outbox.ts';
export type {
  BatchPayment,
  Outbox,
  OutboxEntry,
  OutboxOptions,
  OutboxPayment,
  OutboxQuery,
  OutboxState,
  ResendOptions,
  SubmitBatchOptions,
  SubmitOptions,
} from './outbox.ts';
export { paymentContent } from './payment-content.ts';
export type { Reconciliation, ReconcileOptions } from './reconcile-payments.ts';
export type { HrError } from '../hr-error.ts';
