import type { DatabaseSync } from 'node:sqlite';
import { configure, openPrivateDatabase, openPrivately, type DatabaseKind } from './private-database.ts';

/** How long to wait for the lock, because opening an outbox holds it for a moment. */
const LOCK_WAIT_MS = 200;

// An entry is one idempotency key, which is its id. Only the latest entry of a row of a batch is in force.
const SCHEMA = `
create table entry (
  number integer primary key,
  id text not null unique,
  contract_id text not null,
  billing_period text not null,
  payment text not null,
  content text not null,
  state text not null check (state in ('sending', 'sent', 'refused', 'unknown', 'approved', 'rejected')),
  batch text,
  row integer,
  sent_at text not null,
  code text,
  request_id text,
  message text,
  resent_as text,
  decided_at text,
  reason text,
  -- The state before a comparison approved it.
  compared_from text,
  resolved_at text,
  note text
) strict;
create unique index entry_row on entry (batch, row) where resent_as is null;
create index entry_content on entry (content);
create index entry_state on entry (state);
-- One row: where the next list of decisions begins.
create table decisions (cursor text) strict;
insert into decisions values (null);
-- The contents of approved payments whose decisions have no key.
create table without_key (content text primary key) strict;
create table approved_elsewhere (content text primary key, count integer not null) strict;
`;
const UPGRADE = `
alter table entry add column resolved_at text;
alter table entry add column note text;
`;

export const outboxKind: DatabaseKind = {
  name: 'outbox',
  // `hrob`
  applicationId: 0x68_72_6f_62,
  version: 3,
  schema: SCHEMA,
  upgrade: UPGRADE,
  // A commit is on the disk when it returns.
  settings: 'PRAGMA synchronous = FULL',
  isCopy: false,
};

/**
 * Opens the file of an outbox, or creates it.
 *
 * @throws {MirrorError} If the file cannot be used.
 */
export function openOutboxDatabase(file: string, source: string): DatabaseSync {
  return openPrivateDatabase(outboxKind, file, source);
}

/** Opens the lock of an outbox. Closing its connection releases the lock, and so does the end of the process. */
export function openLock(file: string): DatabaseSync {
  return openPrivately(outboxKind, `${file}.lock`, (lock) => configure(lock, '', LOCK_WAIT_MS));
}
