-- Persons whose data was erased for good: lists of changes tell of them, and no import brings them or their contracts back.
create table tombstone (
  person_id text collate "C" primary key,
  payroll_contract_ids text[] collate "C" not null,
  erased_at timestamptz not null,
  erased_by text not null
);
create index tombstone_erased on tombstone (erased_at);
create index tombstone_contracts on tombstone using gin (payroll_contract_ids);
