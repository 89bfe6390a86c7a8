-- A cursor is a snapshot of transactions: what came after it are the change sets whose transaction it does not see. That
-- needs no clock and no lock. All change sets until now belong to this transaction.
alter table change_set
  add column xid xid8 not null default pg_current_xact_id(),
  -- What its transaction saw when it was added. As long as it is there, so is all of that.
  add column seen pg_snapshot not null default pg_current_snapshot(),
  -- After a restore, another change set can have the same numbers, but not the same mark.
  add column mark bigint not null default (random() * 9e15)::bigint,
  -- What it changed: the fields of persons as in `field_changes`, `id` for persons who came or went, and the names of
  -- other records. Null is anything.
  add column touched text[] collate "C";
create index change_set_xid on change_set (xid);

-- One row. Transactions are numbered anew in another cluster, so its cursors are not those of this database.
create table change_origin (
  origin uuid not null default gen_random_uuid(),
  -- The cluster, and the database in it.
  server text
);
insert into change_origin default values;

-- Adopts a database that was dumped and restored: all its change sets belong to this transaction.
create function adopt_changes() returns void language plpgsql as $$
declare
  here text := (
    select concat_ws('/', system_identifier, oid)
    from pg_control_system(), pg_database where datname = current_database()
  );
begin
  if exists (select from change_origin where server = here) then return; end if;
  update change_origin set server = here, origin = gen_random_uuid() where server is distinct from here;
  if found then update change_set set xid = default, seen = default; end if;
end
$$;
select adopt_changes();

-- A text that is another one if a change set is lost that a snapshot saw. `latest` is the last change set that it saw: all
-- before are seen by that one, or were in progress with it.
create function change_digest(snapshot pg_snapshot, latest bigint) returns text stable language sql
  return (
    with last as (
      select id, seen from change_set where id = latest union all select 0, '3:3:'::pg_snapshot limit 1
    )
    select left(encode(sha256(convert_to(concat(
      (select origin from change_origin), string_agg(concat_ws(' ', change_set.id, xid, mark), ',' order by change_set.id)
    ), 'UTF8')), 'hex'), 16)
    from last left join change_set on change_set.id = last.id or (
      (xid = any(array(select pg_snapshot_xip(last.seen)))
        or (xid >= pg_snapshot_xmax(last.seen) and xid < pg_snapshot_xmax(snapshot)))
      and pg_visible_in_snapshot(xid, snapshot)
    )
  );

-- The latest change set and the latest transaction that were dropped with the history, and what was seen then.
alter table change_history
  add column dropped_id bigint,
  add column dropped_xid xid8,
  add column dropped_seen pg_snapshot;

-- Whether a change set was dropped that comes after a position.
create function is_dropped_after(snapshot pg_snapshot, latest bigint) returns boolean stable language sql
  return exists (
    select from change_history where dropped_id > latest or exists (
      select from pg_snapshot_xip(snapshot) as xid where xid <= dropped_xid and pg_visible_in_snapshot(xid, dropped_seen)
    )
  );

-- The absences of a person are found by changes in the same way as the days.
insert into time_account (person_id, change)
select person_id, max(change) from (
  select person_id, change from absence union all select person_id, change from moved_absence
) as absence group by person_id
on conflict (person_id) do update set change = greatest(time_account.change, excluded.change);

alter table variable_payment
  -- The change set of the decision.
  add column decision bigint,
  -- As the client sent it.
  add column idempotency_key text;
create index variable_payment_decision on variable_payment (decision) where decision is not null;
