-- Events are listed by moment, then id: `position` is both as text, so that filters of moments and pages are ranges of it.
alter table audit_event drop constraint audit_event_pkey;
alter table audit_event add column position text collate "C" primary key generated always as (
  lpad((extract(epoch from at at time zone 'UTC') * 1000000)::bigint::text, 18, '0') || lpad(id::text, 19, '0')
) stored;
create index audit_event_person on audit_event (person_id, position) where person_id is not null;
create index audit_event_actor on audit_event (actor, position);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit only takes new events: % is refused.', lower(tg_op);
end
$$;
create trigger audit_event_append_only before update or delete or truncate on audit_event
  for each statement execute function refuse_audit_change();
-- Also for a session that replays changes and skips ordinary triggers.
alter table audit_event enable always trigger audit_event_append_only;
