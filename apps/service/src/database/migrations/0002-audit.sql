-- Who read or changed whose data: ids and counts, never values. Nothing refers to other tables: what is audited outlives it.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text collate "C" not null,
  operation text collate "C" not null,
  request_id text collate "C" not null,
  access text not null check (access in ('read', 'change')),
  person_id text collate "C",
  payroll_contract_id text collate "C",
  object_id text collate "C",
  elements integer not null
);
