-- The order in which events were written, which has gaps, for instance of transactions that were rolled back. Events that
-- are there already get theirs now.
create sequence audit_position;
-- Whoever may write events needs it. Nobody can set it.
grant usage, select on sequence audit_position to public;
alter table audit_event add column position bigint not null default nextval('audit_position');
create index audit_event_position on audit_event (position);

-- The chain of the audit: each block has the hash of some events of a month (UTC) that follow each other, and a hash over
-- the block before. Blocks stay when their month is pruned.
create table audit_block (
  number bigint primary key,
  month text collate "C" not null,
  -- Of its last event. It has all events of the month behind the block of the month before it.
  last_position bigint not null,
  events integer not null,
  events_hash bytea not null,
  hash bytea not null
);
select make_append_only('audit_block');
