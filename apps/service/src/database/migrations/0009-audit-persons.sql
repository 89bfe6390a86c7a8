-- Whether a client may say for whom it acts, and why.
alter table api_client
  add column acts_for_people boolean not null default false,
  drop constraint api_client_scope_check,
  add check (
    scope in (
      'api:use', 'operator', 'operator:read', 'operator:payments', 'operator:clients', 'operator:feed', 'operator:audit'
    )
  );

-- Who acted through the client, and why: what the client said.
alter table audit_event add column acting_person text collate "C", add column purpose text collate "C";
create index audit_event_acting_person on audit_event (acting_person, id) where acting_person is not null;
