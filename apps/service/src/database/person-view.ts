import { personFragments } from '../domain/person-fragments.ts';
import type { PersonSources } from '../domain/person-fragments.ts';
import { datedChange } from './change-sets.ts';
import type { Queries } from './database.ts';

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
  with ${datedChange('$10::bigint is null')},
  back as (delete from deleted_person where person_id = any($1::text[]))
  insert into person_view as old (person_id, head, master, master_absent, master_change, custom_names, custom_json,
    payroll, payroll_absent, payroll_change, time, time_absent, time_change)
  select person_id, head, master, master_absent, change_id,
    ${ofEachCustomField("field ->> 'name'")}, ${ofEachCustomField('field::text')},
    payroll, payroll_absent, change_id, time, time_absent, change_id
  from coalesce($10::bigint, (select id from change)) as change_id,
    unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    as new (person_id, head, master, master_absent, custom_fields, payroll, payroll_absent, time, time_absent)
  on conflict (person_id) do update set
    master = excluded.master, master_absent = excluded.master_absent,
    custom_names = excluded.custom_names, custom_json = excluded.custom_json,
    payroll = excluded.payroll, payroll_absent = excluded.payroll_absent,
    time = excluded.time, time_absent = excluded.time_absent,
    master_change = case
      when (old.master, old.custom_json) = (excluded.master, excluded.custom_json) and not old.person_id = any($11::text[])
      then old.master_change
      else excluded.master_change end,
    payroll_change = case
      when old.payroll = excluded.payroll and not old.person_id = any($11::text[]) then old.payroll_change
      else excluded.payroll_change end,
    time_change = case when old.time = excluded.time then old.time_change else excluded.time_change end
  where (old.master, old.custom_json, old.payroll, old.time)
      is distinct from (excluded.master, excluded.custom_json, excluded.payroll, excluded.time)
    or old.person_id = any($11::text[])`;

interface Rendering {
  /** Persons of whom something was written. */
  readonly personIds: readonly string[];
  /** Those of them who gained or lost a mapping: that changes master and payroll, also where it does not show. */
  readonly remapped?: readonly string[];
  /** The reserved change set of a long transaction. Default a new one, dated now. */
  readonly change?: string;
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

/** Deletes the views of persons whom the master system no longer has. */
export async function deleteViews(transaction: Queries, personIds: readonly string[], change: string): Promise<void> {
  await transaction.query(
    `with deleted as (
      delete from person_view where person_id = any($1::text[])
        and not exists (select from source_document as master where master.kind = 'person' and master.person_id = person_view.person_id)
      returning person_id
    )
    insert into deleted_person (person_id, change) select person_id, $2::bigint from deleted`,
    [personIds, change],
  );
}

/**
 * Renders the views of persons, whom the transaction holds, anew from all that is stored of them. A system's fragment
 * that comes out different has changed now; one that comes out the same has not. Persons whom the master system does not
 * know get no view.
 */
export async function renderPersons(
  transaction: Queries,
  { personIds, remapped = [], change }: Rendering,
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
    change ?? null,
    remapped,
  ]);
}
