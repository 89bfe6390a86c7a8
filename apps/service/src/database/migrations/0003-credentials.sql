alter table api_client
  -- A disabled client gets no token, and those that it had are deleted.
  add column disabled_at timestamptz,
  add column last_token_at timestamptz;

-- Null is the current secret, of which a client has exactly one. The one before it ends at that moment.
alter table client_secret add column expires_at timestamptz;
create unique index client_secret_current on client_secret (client_id) where expires_at is null;

alter table access_token add column issued_at timestamptz not null default now();
-- Tokens are deleted by client; nothing asks for those of all clients that have expired.
drop index access_token_expiry;
create index access_token_client on access_token (client_id, expires_at);
