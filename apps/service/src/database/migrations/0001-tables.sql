-- Identifiers compare by code point everywhere, hence collation "C". Dates and months are the text that the API has.

-- One row for each transaction that changed something; other rows refer to it. The transaction dates it as its last step:
-- a change counts from the moment it can be seen.
create table change_set (
  id bigint primary key generated always as identity,
  changed_at timestamptz
);
create index change_set_changed on change_set (changed_at, id);

-- The last record of the feed about a person, as canonical JSON text.
create table source_document (
  person_id text collate "C" not null,
  kind text not null check (kind in ('person', 'bankDetails', 'keyNumber')),
  document text not null,
  primary key (person_id, kind)
);

-- The properties that the API can change, as the feed has them.
create view feed_property as
  select person_id, 'addresses' as property, (document::json -> 'address')::text as content
  from source_document where kind = 'person' and document::json -> 'address' is not null
  union all
  select person_id, 'bankDetails', document from source_document where kind = 'bankDetails';

-- Changes by the API. A patch covers the feed's property until the feed has other content than `feed_content`, which it
-- had when the patch came.
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

-- The person's JSON text in fragments, rendered on each write: `head` opens the object and has the id, each system has the
-- members with a value and, for deltas, those without. Custom fields stand apart, in the feed's order: the name of each,
-- and its JSON text. Which of them a client sees is known on the read.
-- A client that sees only some fields may not learn that others changed, so the last change of each field is kept as well:
-- in `field_changes` by its name, or `first_change` if the field has not changed since. Custom fields are in it as
-- `customFields NAME`, and their order as `customFields`.
create table person_view (
  person_id text collate "C" primary key,
  head text not null,
  master text not null,
  master_absent text not null,
  master_change bigint not null,
  payroll text not null,
  payroll_absent text not null,
  payroll_change bigint not null,
  time text not null,
  time_absent text not null,
  time_change bigint not null,
  custom_names text[] not null,
  custom_json text[] not null,
  custom_change bigint not null,
  first_change bigint not null,
  field_changes jsonb not null default '{}'
);
create index person_view_change on person_view (greatest(master_change, payroll_change, time_change, custom_change));

-- Persons whom the feed has deleted: lists of changes say so until they return.
create table deleted_person (
  person_id text collate "C" primary key,
  change bigint not null
);
create index deleted_person_change on deleted_person (change);

-- Persons whose data was erased for good: lists of changes say so, and no import lets them or their contracts in.
create table tombstone (
  person_id text collate "C" primary key,
  payroll_contract_ids text[] collate "C" not null,
  change bigint not null,
  erased_at timestamptz not null,
  erased_by text not null
);
create index tombstone_change on tombstone (change);
create index tombstone_contracts on tombstone using gin (payroll_contract_ids);

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

-- The payment that a client's key has made, for a day. Only the key's hash: a client may have put names into it.
create table idempotency_key (
  key_hash bytea primary key,
  client_id text not null,
  variable_payment_id bigint not null references variable_payment on delete cascade,
  created_at timestamptz not null default now()
);
create index idempotency_key_client on idempotency_key (client_id, created_at);
create index idempotency_key_payment on idempotency_key (variable_payment_id);

-- The last change of any of a person's days: a list of changes finds its persons here.
create table time_account (
  person_id text collate "C" primary key,
  change bigint not null
);
create index time_account_change on time_account (change);

-- A deleted day has no `day`: lists of changes say so.
create table time_day (
  person_id text collate "C" not null,
  date text collate "C" not null,
  day text,
  change bigint not null,
  primary key (person_id, date)
);

-- A deleted absence has only its ids: lists of changes say so.
create table absence (
  id text collate "C" primary key,
  person_id text collate "C" not null,
  start_date text collate "C",
  end_date text collate "C",
  absence text,
  change bigint not null,
  check ((absence is null) = (start_date is null))
);
create index absence_person on absence (person_id, start_date, id);

-- Absences that another person has now: lists of changes of the former one say that they are deleted.
create table moved_absence (
  person_id text collate "C" not null,
  id text collate "C" not null,
  change bigint not null,
  primary key (person_id, id)
);
create function keep_moved_absence() returns trigger language plpgsql as $$
begin
  -- One that was deleted before has moved no later than that.
  insert into moved_absence (person_id, id, change)
  values (old.person_id, old.id, case when old.absence is null then old.change else new.change end)
  on conflict (person_id, id) do update set change = excluded.change;
  delete from moved_absence where person_id = new.person_id and id = new.id;
  return null;
end
$$;
create trigger absence_moved after update of person_id on absence for each row
  when (old.person_id <> new.person_id) execute function keep_moved_absence();

-- Imports of feeds. Each batch writes the progress in its own transaction: `lines` are stored or left out, whatever becomes
-- of the process. `outcomes` and `left_out` are JSON text, with places and no values.
create table import_run (
  id uuid primary key,
  sources text[] not null,
  actor text collate "C" not null,
  request_id text collate "C" not null,
  started_at timestamptz not null default clock_timestamp(),
  -- A process that was killed says nothing any more.
  alive_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'broken-off')),
  reason text,
  lines bigint not null default 0,
  bad_lines bigint not null default 0,
  outcomes text not null,
  left_out text not null default '[]',
  more_faults bigint not null default 0,
  check ((state = 'running') = (ended_at is null))
);

create table api_client (
  client_id text primary key,
  name text not null,
  scope text not null check (
    scope in ('api:use', 'operator', 'operator:read', 'operator:payments', 'operator:clients', 'operator:feed')
  ),
  created_at timestamptz not null default clock_timestamp(),
  -- A disabled client gets no token, and its tokens are deleted.
  disabled_at timestamptz,
  last_token_at timestamptz,
  -- What the client may use and see of the API; null is all.
  operations text[],
  systems text[],
  fields text[],
  check (scope = 'api:use' or num_nonnulls(operations, systems, fields) = 0)
);

-- Secrets and tokens have 256 random bits, so a plain SHA-256 is enough; a slow hash would cost only this service.
-- `expires_at` is null for the current secret, of which a client has exactly one. The one before it ends at that moment.
create table client_secret (
  client_id text not null references api_client,
  secret_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (client_id, secret_hash)
);
create unique index client_secret_current on client_secret (client_id) where expires_at is null;

-- The clients that made a client or rotated its secret, and so have known a secret of it. It is kept for good.
create table client_maker (
  client_id text not null references api_client,
  made_by text not null references api_client,
  primary key (client_id, made_by)
);

-- A token ends with the secret that it was got with.
create table access_token (
  token_hash bytea primary key,
  client_id text not null,
  secret_hash bytea not null,
  scope text not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (client_id, secret_hash) references client_secret on delete cascade
);
create index access_token_client on access_token (client_id, expires_at);

-- The custom fields of persons that a client sees, by name; it sees no others.
create table client_custom_field (
  client_id text not null references api_client,
  name text collate "C" not null,
  primary key (client_id, name)
);

-- The requests of a client in the minute that began with its first one. Unlogged: a crash loses it, and counting writes
-- nothing to disk. Half of each page stays free, so that counting needs no new page and no vacuum.
create unlogged table rate_limit (
  client_id text collate "C" primary key,
  window_start timestamptz not null,
  requests integer not null
) with (fillfactor = 50);

-- Who read or changed whose data, and whose requests were refused: ids and counts, never values. Nothing refers to other tables: the audit outlives them.
-- `id` is a UUID of version 7. It begins with the millisecond of the event, so ids are in the order of time, and each
-- month (UTC) is a range of ids with a partition of its own.
create table audit_event (
  id uuid primary key,
  actor text collate "C" not null,
  operation text collate "C" not null,
  request_id text collate "C" not null,
  access text not null check (access in ('read', 'change', 'refused')),
  person_id text collate "C",
  payroll_contract_id text collate "C",
  object_id text collate "C",
  elements integer not null,
  -- The HTTP status of requests that were refused.
  status smallint check ((status is not null) = (access = 'refused'))
) partition by range (id);
create index audit_event_person on audit_event (person_id, id) where person_id is not null;
create index audit_event_contract on audit_event (payroll_contract_id, id) where payroll_contract_id is not null;
create index audit_event_object on audit_event (object_id, id) where object_id is not null;
create index audit_event_actor on audit_event (actor, id);
create index audit_event_operation on audit_event (operation, id);
create index audit_event_refused on audit_event (id) where access = 'refused';
-- An import has many events with one request id, with which each insert into a hash index would take longer.
create index audit_event_request on audit_event (request_id);

-- The lowest id of the events at or after a moment. None is before 1970.
create function audit_event_id(at timestamptz) returns uuid language sql immutable strict
  return encode(
    substr(int8send(greatest(0, ceil(extract(epoch from at at time zone 'UTC') * 1000))::bigint), 3) || '\x00000000000000000000',
    'hex'
  )::uuid;

-- When the event with this id was.
create function audit_event_at(id uuid) returns timestamptz language sql immutable
  return (
    timestamp 'epoch' + ('x' || encode(substr(uuid_send(id), 1, 6), 'hex'))::bit(48)::bigint * interval '1 ms'
  ) at time zone 'UTC';

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit only takes new events: % is refused.', lower(tg_op);
end
$$;

-- Refuses changes of the table of events, or of a partition: statements may name one, and roles may have rights on it.
create function make_append_only(events regclass) returns void language plpgsql as $$
begin
  execute format('create trigger append_only before update or delete or truncate on %s
    for each statement execute function refuse_audit_change()', events);
  -- Also for a session that replays changes and skips ordinary triggers.
  execute format('alter table %s enable always trigger append_only', events);
end
$$;
select make_append_only('audit_event');

-- A partition from the beginning of a month to the beginning of another one; null is open.
create function create_audit_partition(name text, from_month date, to_month date) returns void language plpgsql as $$
begin
  execute format(
    'create table %I partition of audit_event for values from (%s) to (%s)', name,
    coalesce(quote_literal(audit_event_id(from_month::timestamp at time zone 'UTC')), 'minvalue'),
    coalesce(quote_literal(audit_event_id(to_month::timestamp at time zone 'UTC')), 'maxvalue')
  );
  perform make_append_only(name::regclass);
end
$$;

-- What is before the first month and after the last one has a partition, too, so that every event finds one whatever the
-- clocks say. A default partition would do as much, but with it lists would read and sort all partitions for each page.
select create_audit_partition('audit_event_earlier', null, month), create_audit_partition('audit_event_later', month, null)
from (select date_trunc('month', now() at time zone 'UTC')::date as month) as this_month;

-- The partitions of months, such as audit_event_2026_01, and the first days of these.
create view audit_month as
  select inhrelid::regclass as partition, to_date(right(relname, 7), 'YYYY_MM') as month
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'audit_event'::regclass and relname ~ '_\d{4}_\d\d$';

-- Adds months until one has a partition. Waits for statements that use the audit for a second at most, as all later ones
-- wait behind it.
create function add_audit_months(last_month date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  new_month date;
  next_month date;
  next_id uuid;
begin
  if exists (select from audit_month where month >= last_month) then return; end if;
  -- Of processes that add months at the same time, only the first one does. Its months may be autovacuumed meanwhile.
  lock table only audit_event in access exclusive mode;
  loop
    select coalesce(max(month) + interval '1 month', date_trunc('month', now() at time zone 'UTC')) into new_month
    from audit_month;
    exit when new_month > last_month;
    next_month := new_month + interval '1 month';
    next_id := audit_event_id(next_month::timestamp at time zone 'UTC');
    alter table audit_event detach partition audit_event_later;
    perform create_audit_partition('audit_event_' || to_char(new_month, 'YYYY_MM'), new_month, next_month);
    -- It holds events where no months were added for long, or where a clock is ahead.
    if exists (select from audit_event_later where id < next_id) then
      alter table audit_event_later disable trigger append_only;
      with moved as (delete from audit_event_later where id < next_id returning *)
      insert into audit_event select * from moved;
      alter table audit_event_later enable always trigger append_only;
    end if;
    execute format(
      'alter table audit_event attach partition audit_event_later for values from (%L) to (maxvalue)', next_id
    );
  end loop;
end
$$;

-- The service calls it every day, so a month is there long before its first event. It runs with the rights of the owner,
-- so that the service needs none; as it only does what is due, every role may call it.
select set_config('search_path', format('%I, pg_temp', current_schema()), true);
create function add_coming_audit_months() returns void language plpgsql security definer set search_path from current as $$
begin
  perform add_audit_months((date_trunc('month', now() at time zone 'UTC') + interval '3 months')::date);
end
$$;
select add_coming_audit_months();

-- Drops all events before a month for good, and gives their number.
create function prune_audit(before date) returns bigint language plpgsql set lock_timeout = '1s' as $$
declare
  first_id uuid := audit_event_id(before::timestamp at time zone 'UTC');
  events bigint;
  old regclass;
begin
  if not exists (select from audit_month where month = before and month <= now() at time zone 'UTC') then return 0; end if;
  select count(*) into events from audit_event where id < first_id;
  lock table only audit_event in access exclusive mode;
  drop table audit_event_earlier;
  for old in select partition from audit_month where month < before loop
    execute format('drop table %s', old);
  end loop;
  perform create_audit_partition('audit_event_earlier', null, before);
  return events;
end
$$;
