-- A list of changes finds its first change set in here, however many there are. A row for each quarter of an hour with changes:
-- days begin at one of them in every time zone.
create table change_period (
  start timestamptz primary key,
  -- The smallest id of all change sets that are dated since `start`.
  first bigint not null,
  -- No transaction with a change set from `first` on began before.
  opened_at timestamptz not null
);
create index change_period_first on change_period (first);

create function note_change_period() returns trigger language plpgsql as $$
declare
  period timestamptz := date_bin('15 minutes', new.changed_at, 'epoch');
begin
  if not exists (select from change_period where start = period) then
    -- A later period is there where the clock was set back.
    insert into change_period (start, first, opened_at)
    select period, least(new.id, min(first)), least(new.changed_at, now(), min(opened_at))
    from (select first, opened_at from change_period where start > period order by start limit 1) as later
    on conflict do nothing;
  end if;
  -- A transaction that took long: later ones have ended before it.
  update change_period set first = new.id, opened_at = least(opened_at, new.changed_at, now()) where first > new.id and start <= period;
  return null;
end
$$;
create trigger change_set_dated after insert or update of changed_at on change_set for each row
  when (new.changed_at is not null) execute function note_change_period();

insert into change_period (start, first, opened_at)
select start, min(first) over (order by start desc), start - interval '1 day'
from (
  select date_bin('15 minutes', changed_at, 'epoch') as start, min(id) as first
  from change_set where changed_at is not null group by 1
) as period;

-- The moment before which changes are no longer kept. No row: all of them are.
create table change_history (
  kept_since timestamptz not null
);
create unique index change_history_single on change_history ((true));

-- Persons who were deleted or erased: lists of changes say so until they return.
alter table deleted_person rename to gone_person;
alter index deleted_person_pkey rename to gone_person_pkey;
alter index deleted_person_change rename to gone_person_change;
alter table gone_person add column is_erased boolean not null default false;
insert into gone_person (person_id, change, is_erased)
select person_id, change, true from tombstone where person_id not in (select person_id from person_view)
on conflict (person_id) do update set change = greatest(gone_person.change, excluded.change), is_erased = true;

-- The record of an erasure stays when the person is readmitted. Only then do imports let the person and the contracts in.
alter table tombstone drop column change;
alter table tombstone add column readmitted_at timestamptz;

-- A person's days appear and disappear with the person: each dates the account.
insert into time_account (person_id, change)
select person_id, change from gone_person where person_id in (select person_id from time_day)
on conflict (person_id) do update set change = greatest(time_account.change, excluded.change);
update time_account set change = greatest(time_account.change, first_change)
from person_view where person_view.person_id = time_account.person_id and first_change > time_account.change;

-- What tells of deletions is dropped with the history of changes.
create index time_day_deleted on time_day (change) where day is null;
create index absence_deleted on absence (change) where absence is null;
create index moved_absence_change on moved_absence (change);

-- The persons who had a payroll contract before. Without a mapping, it belongs to the last of them.
create table former_mapping (
  payroll_contract_id text collate "C" not null,
  person_id text collate "C" not null,
  ended_at timestamptz not null,
  primary key (payroll_contract_id, person_id)
);
create index former_mapping_person on former_mapping (person_id);
create function keep_former_mapping() returns trigger language plpgsql as $$
begin
  insert into former_mapping (payroll_contract_id, person_id, ended_at)
  values (old.payroll_contract_id, old.person_id, clock_timestamp())
  on conflict (payroll_contract_id, person_id) do update set ended_at = excluded.ended_at;
  return null;
end
$$;
create trigger mapping_deleted after delete on mapping for each row execute function keep_former_mapping();
create trigger mapping_moved after update of person_id on mapping for each row
  when (old.person_id <> new.person_id) execute function keep_former_mapping();

-- The person who had the contract when the payment was submitted. Null in payments for contracts whose mapping was deleted before this column.
alter table variable_payment add column person_id text collate "C";
update variable_payment set person_id = mapping.person_id
from mapping where mapping.payroll_contract_id = variable_payment.payroll_contract_id;
create index variable_payment_person on variable_payment (person_id);

-- The last change of the client's grants: what it sees differs from what it saw before.
alter table api_client add column grants_change bigint;
