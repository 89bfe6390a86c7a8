-- Public keys by which clients prove who they are (RFC 7523). They come from an operator or from the URL of the client.
-- `key_thumbprint` is that of RFC 7638, so no other key has it.
create table client_key (
  client_id text not null references api_client,
  key_thumbprint text not null,
  kid text not null,
  alg text not null,
  jwk json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (client_id, key_thumbprint),
  unique (client_id, kid)
);

-- `jwks_fetched_at` is when its URL last gave the keys; null if it never did.
alter table api_client add column jwks_url text, add column jwks_fetched_at timestamptz;

-- A token ends with the secret or the key that it was got with.
alter table access_token
  alter column secret_hash drop not null,
  add column key_thumbprint text,
  add check (num_nonnulls(secret_hash, key_thumbprint) = 1),
  add foreign key (client_id, key_thumbprint) references client_key on delete cascade;

-- The assertions that were used, until they have expired: each works once. Only a hash of `jti`: a client may have put
-- anything into it.
create table client_assertion (
  client_id text not null,
  jti_hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, jti_hash)
);
create index client_assertion_expires_at on client_assertion (expires_at);
