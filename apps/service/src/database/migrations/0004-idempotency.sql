-- Which payment a client's key has made, for a day. A key is kept as a hash: whoever chose it may have put names into it.
create table idempotency_key (
  key_hash bytea primary key,
  client_id text not null,
  variable_payment_id bigint not null references variable_payment on delete cascade,
  created_at timestamptz not null default now()
);
create index idempotency_key_client on idempotency_key (client_id, created_at);
create index idempotency_key_payment on idempotency_key (variable_payment_id);
