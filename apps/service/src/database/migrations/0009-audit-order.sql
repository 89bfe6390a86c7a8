-- As a text, the order of the events cost as much to write as all else of an event; these 16 bytes are its microsecond and its id.
alter table audit_event drop column position;
alter table audit_event add column position uuid primary key generated always as (
  encode(int8send((extract(epoch from at at time zone 'UTC') * 1000000)::bigint) || int8send(id), 'hex')::uuid
) stored;
create index audit_event_person on audit_event (person_id, position) where person_id is not null;
create index audit_event_actor on audit_event (actor, position);
