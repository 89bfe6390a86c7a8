-- The keys of the checksums in secrets and tokens. By these a guess is refused without a query. A new key issues after a
-- minute, when all processes have read it: see credential-keys.ts.
create table credential_key (
  id smallint generated always as identity primary key,
  -- 366 random bits.
  key bytea not null default sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
  ),
  issues_from timestamptz not null default clock_timestamp() + interval '1 minute'
);
insert into credential_key (issues_from) values (now());

-- The key of its checksum; null for a secret without one: it was chosen, or issued before there were keys.
alter table client_secret add column key_id smallint;

-- Expired keys are deleted whoever's they are.
drop index idempotency_key_client;
create index idempotency_key_created_at on idempotency_key (created_at);
