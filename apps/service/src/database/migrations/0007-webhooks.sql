-- Where clients hear of changes. An endpoint has the position in the changes until which its receiver knows, as a cursor has:
-- a notice is due as soon as something comes after it, and the position moves on with a 2xx.
create table webhook_endpoint (
  id text collate "C" primary key,
  client_id text not null references api_client,
  url text not null,
  -- They sign, so they are readable. The previous one is used beside the current one for a day.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  snapshot pg_snapshot not null,
  latest bigint not null,
  digest text not null,
  -- The grants of the client until which the receiver knows.
  grants_change bigint,
  -- Nothing is sent before: after a failure this is the next attempt.
  due_at timestamptz not null default clock_timestamp(),
  -- A process is sending. Of one that was killed, others take over then.
  leased_until timestamptz,
  -- Since the last 2xx.
  failures integer not null default 0,
  failing_since timestamptz,
  paused_at timestamptz
);
create index webhook_endpoint_client_id on webhook_endpoint (client_id);
create index webhook_endpoint_due_at on webhook_endpoint (due_at) where paused_at is null;

-- The last attempts of each endpoint. A body is never stored.
create table webhook_delivery (
  endpoint_id text collate "C" not null references webhook_endpoint on delete cascade,
  number bigint generated always as identity,
  -- The header webhook-id: the same one in each attempt to send the same.
  message_id text not null,
  type text not null,
  sent_at timestamptz not null,
  attempt integer not null,
  -- The response; null if there was none.
  status smallint,
  failure text,
  duration_ms integer not null,
  primary key (endpoint_id, number)
);
