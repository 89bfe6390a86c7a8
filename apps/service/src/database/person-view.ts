import { personFragments } from '../domain/person-fragments.ts';
import type { PersonSources } from '../domain/person-fragments.ts';
import type { Queries } from './database.ts';

/** Marks a change whose moment is not known yet: see {@link settleChanges}. */
export const UNSETTLED = 'infinity';

const sources = `
  select
    master.person_id as "personId",
    master.document as master,
    bank.document as "bankDetails",
    key.document as "keyNumber",
    addresses.document as "patchedAddresses",
    patched_bank.document as "patchedBankDetails",
    array(
      select payroll_contract_id from mapping where mapping.person_id = master.person_id order by payroll_contract_id
    ) as "payrollContractIds",
    array(
      select employment from mapping join contract using (payroll_contract_id)
      where mapping.person_id = master.person_id order by start_date, payroll_contract_id
    ) as employments
  from source_document as master
  left join source_document as bank on bank.person_id = master.person_id and bank.kind = 'bankDetails'
  left join source_document as key on key.person_id = master.person_id and key.kind = 'keyNumber'
  left join person_patch as addresses on addresses.person_id = master.person_id and addresses.property = 'addresses'
  left join person_patch as patched_bank on patched_bank.person_id = master.person_id and patched_bank.property = 'bankDetails'
  where master.kind = 'person' and master.person_id = any($1::text[])`;

function ofEachCustomField(value: string): string {
  return `array(
      select ${value} from json_array_elements(custom_fields::json) with ordinality as custom (field, place) order by place)`;
}

const upsert = `
  insert into person_view as old (person_id, head,
    master, master_absent, master_changed_at, custom_names, custom_json,
    payroll, payroll_absent, payroll_changed_at, time, time_absent, time_changed_at)
  select person_id, head, master, master_absent, moment,
    ${ofEachCustomField("field ->> 'name'")}, ${ofEachCustomField('field::text')},
    payroll, payroll_absent, moment, time, time_absent, moment
  from coalesce($10::timestamptz, clock_timestamp()) as moment,
    unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    as new (person_id, head, master, master_absent, custom_fields, payroll, payroll_absent, time, time_absent)
  on conflict (person_id) do update set
    master = excluded.master, master_absent = excluded.master_absent,
    custom_names = excluded.custom_names, custom_json = excluded.custom_json,
    payroll = excluded.payroll, payroll_absent = excluded.payroll_absent,
    time = excluded.time, time_absent = excluded.time_absent,
    master_changed_at = case
      when (old.master, old.custom_json) = (excluded.master, excluded.custom_json) and not old.person_id = any($11::text[])
      then old.master_changed_at
      else excluded.master_changed_at end,
    payroll_changed_at = case
      when old.payroll = excluded.payroll and not old.person_id = any($11::text[]) then old.payroll_changed_at
      else excluded.payroll_changed_at end,
    time_changed_at = case when old.time = excluded.time then old.time_changed_at else excluded.time_changed_at end
  where (old.master, old.custom_json, old.payroll, old.time)
      is distinct from (excluded.master, excluded.custom_json, excluded.payroll, excluded.time)
    or old.person_id = any($11::text[])`;

interface Rendering {
  /** Persons of whom something was written. */
  readonly personIds: readonly string[];
  /** Those of them who gained or lost a mapping: that changes master and payroll, also where it does not show. */
  readonly remapped?: readonly string[];
  /** The moment of the change, by default now; {@link UNSETTLED} where the transaction goes on for long. */
  readonly changedAt?: string;
}

const LONGEST_WAIT_MS = 3000;

/** Ends a transaction that waits for long, such as for a person whom an import holds: it would use up the connections of everybody else. */
export async function limitLockWaits(transaction: Queries): Promise<void> {
  await transaction.query(`set local lock_timeout = '${LONGEST_WAIT_MS}ms'`);
}

/**
 * Holds persons until the transaction ends. Whoever writes a person does so first, so that two of them never render
 * from what the other cannot see yet.
 */
export async function lockPersons(transaction: Queries, personIds: readonly string[]): Promise<string[]> {
  const held = await transaction.query<{ id: string }>(
    'select person_id as id from person_view where person_id = any($1::text[]) order by person_id for update',
    [personIds],
  );
  return held.map(({ id }) => id);
}

/** Drops the views of those persons whom the master system no longer knows. */
export async function dropGoneViews(transaction: Queries, personIds: readonly string[]): Promise<void> {
  await transaction.query(
    `delete from person_view where person_id = any($1::text[])
      and not exists (select from source_document as master where master.kind = 'person' and master.person_id = person_view.person_id)`,
    [personIds],
  );
}

/**
 * Renders the views of persons, whom the transaction holds, anew from all that is stored of them. A system's fragment
 * that comes out different has changed now; one that comes out the same has not. Persons whom the master system does not
 * know get no view.
 */
export async function renderPersons(
  transaction: Queries,
  { personIds, remapped = [], changedAt }: Rendering,
): Promise<void> {
  const persons = await transaction.query<PersonSources>(sources, [personIds]);
  const views = persons.map((person) => ({ personId: person.personId, ...personFragments(person) }));
  await transaction.query(upsert, [
    views.map((view) => view.personId),
    views.map((view) => view.head),
    views.map((view) => view.master.present),
    views.map((view) => view.master.absent),
    views.map((view) => view.customFields),
    views.map((view) => view.payroll.present),
    views.map((view) => view.payroll.absent),
    views.map((view) => view.time.present),
    views.map((view) => view.time.absent),
    changedAt ?? null,
    remapped,
  ]);
}

/**
 * Gives what this transaction wrote as {@link UNSETTLED} its moment, as its last step: a change counts from when
 * it can be seen, and a long transaction must not date its changes before somebody's last look.
 */
export async function settleChanges(transaction: Queries): Promise<void> {
  // Rows settled before leave dead entries in the indexes. Only a plain index scan learns to pass over them; any other
  // would visit each of them again in every transaction, until somebody vacuums, which an embedded database never does.
  await transaction.query(`
    set local enable_seqscan = off;
    set local enable_bitmapscan = off;
    update person_view set
      master_changed_at = least(master_changed_at, clock_timestamp()),
      payroll_changed_at = least(payroll_changed_at, clock_timestamp()),
      time_changed_at = least(time_changed_at, clock_timestamp())
    where greatest(master_changed_at, payroll_changed_at, time_changed_at) = '${UNSETTLED}';
    update time_day set changed_at = clock_timestamp() where changed_at = '${UNSETTLED}';
    update absence set changed_at = clock_timestamp() where changed_at = '${UNSETTLED}';`);
}
