-- Identifiers compare by code point everywhere, hence collation "C". Dates and months are kept as the text the API speaks.

-- What the feed said last of one person, as canonical JSON text.
create table source_document (
  person_id text collate "C" not null,
  kind text not null check (kind in ('person', 'bankDetails', 'keyNumber')),
  document text not null,
  primary key (person_id, kind)
);

-- What the feed says now of the properties that the API can change.
create view feed_property as
  select person_id, 'addresses' as property, (document::json -> 'address')::text as content
  from source_document where kind = 'person' and document::json -> 'address' is not null
  union all
  select person_id, 'bankDetails', document from source_document where kind = 'bankDetails';

-- What the API changed; it covers the feed's property until the feed brings other content than `feed_content`, the last
-- it had brought before.
create table person_patch (
  person_id text collate "C" not null,
  property text not null check (property in ('addresses', 'bankDetails')),
  document text not null,
  feed_content text,
  primary key (person_id, property)
);

create table contract (
  payroll_contract_id text collate "C" primary key,
  employment text not null,
  start_date text collate "C",
  master_cost_center text
);

create table mapping (
  payroll_contract_id text collate "C" primary key,
  person_id text collate "C" not null
);
create index mapping_person on mapping (person_id);

-- The person's JSON text in fragments, rendered when something is written: `head` opens the object and carries the id,
-- each system adds the members that have a value and, for deltas, the ones that have none.
create table person_view (
  person_id text collate "C" primary key,
  head text not null,
  master text not null,
  master_absent text not null,
  master_changed_at timestamptz not null,
  payroll text not null,
  payroll_absent text not null,
  payroll_changed_at timestamptz not null,
  time text not null,
  time_absent text not null,
  time_changed_at timestamptz not null
);
create index person_view_master_changed on person_view (master_changed_at);
create index person_view_payroll_changed on person_view (payroll_changed_at);
create index person_view_time_changed on person_view (time_changed_at);

create table salary_entry (
  payroll_contract_id text collate "C" not null,
  month text collate "C" not null,
  entry text not null,
  primary key (payroll_contract_id, month)
);

create table variable_payment (
  id bigint generated always as identity primary key,
  payroll_contract_id text collate "C" not null,
  billing_period text collate "C" not null,
  correction_period text collate "C" not null,
  compensation_component_id text not null,
  amount numeric,
  hours numeric,
  days numeric,
  hourly_factor numeric,
  percentage numeric,
  master_cost_center text,
  state text not null default 'submitted' check (state in ('submitted', 'approved', 'rejected')),
  submitted_by text not null,
  submitted_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_at timestamptz,
  reason text,
  check ((state = 'submitted') = (decided_by is null and decided_at is null))
);
create index variable_payment_contract on variable_payment (payroll_contract_id, billing_period, id);
create index variable_payment_state on variable_payment (state, id);

create table time_day (
  person_id text collate "C" not null,
  date text collate "C" not null,
  day text not null,
  changed_at timestamptz not null,
  primary key (person_id, date)
);
create index time_day_changed on time_day (changed_at);

create table absence (
  id text collate "C" primary key,
  person_id text collate "C" not null,
  start_date text collate "C" not null,
  end_date text collate "C",
  absence text not null,
  changed_at timestamptz not null
);
create index absence_person on absence (person_id, start_date, id);

create table api_client (
  client_id text primary key,
  name text not null,
  scope text not null check (scope in ('api:use', 'operator')),
  created_at timestamptz not null default clock_timestamp()
);

-- Secrets and tokens have 256 random bits, so a plain SHA-256 keeps them; a slow hash would only cost us.
create table client_secret (
  client_id text not null references api_client,
  secret_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (client_id, secret_hash)
);

create table access_token (
  token_hash bytea primary key,
  client_id text not null references api_client,
  scope text not null,
  expires_at timestamptz not null
);
create index access_token_expiry on access_token (expires_at);
