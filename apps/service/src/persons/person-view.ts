import { personFragments, type PersonFragments, type PersonSources } from './person-fragments.ts';
import { datedChange } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';

// Arrays of PostgreSQL would have to be read before they can be written.
const sources = `
  select
    master.person_id as "personId",
    master.document as master,
    bank.document as "bankDetails",
    key.document as "keyNumber",
    addresses.document as "patchedAddresses",
    patched_bank.document as "patchedBankDetails",
    (
      select '[' || coalesce(string_agg(to_json(payroll_contract_id)::text, ',' order by payroll_contract_id), '') || ']'
      from mapping where mapping.person_id = master.person_id
    ) as "payrollContractIds",
    (
      select '[' || coalesce(string_agg(employment, ',' order by start_date, payroll_contract_id), '') || ']'
      from mapping join contract using (payroll_contract_id) where mapping.person_id = master.person_id
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

/**
 * SQL for the lines of a parameter. JSON text has no line feed, and as an array it costs several times as much. A single
 * empty line comes as no element at all.
 */
function lines(parameter: number): string {
  return String.raw`string_to_array($${parameter}, E'\n')`;
}

/** SQL for the fields, as `name` and `value`, of a row's fragments that another row has not. */
function fieldsOf(row: string, other: string): string {
  const changed = ['master', 'payroll', 'time'].map(
    (system) => `case when ${row}.${system} <> ${other}.${system} then ${row}.${system} else '' end`,
  );
  return `select * from json_each_text(('{' || substr(${changed.join(' || ')}, 2) || '}')::json) as field (name, value)`;
}

/** SQL for the custom fields of each name of a row whose custom fields another row has not. */
function customFieldsOf(row: string, other: string): string {
  return `select 'customFields ' || name, string_agg(json, ',' order by place)
    from unnest(${row}.custom_names, ${row}.custom_json) with ordinality as custom (name, json, place)
    where ${row}.custom_json <> ${other}.custom_json group by name`;
}

/** SQL for the names of those custom fields of a row, in order, that another row has, too. */
function commonNames(row: string, other: string): string {
  return `array(
      select name from unnest(${row}.custom_names) with ordinality as custom (name, place)
      where name = any(${other}.custom_names) group by name order by min(place))`;
}

// A field that both rows have with the same value is there twice.
const changedFields = `
  select name from (
    ${fieldsOf('old', 'excluded')} union all ${fieldsOf('excluded', 'old')}
    union all ${customFieldsOf('old', 'excluded')} union all ${customFieldsOf('excluded', 'old')}
  ) as field group by name, value having count(*) = 1
  union all
  select 'customFields' where old.custom_json <> excluded.custom_json
    and ${commonNames('old', 'excluded')} <> ${commonNames('excluded', 'old')}`;

const upsert = `
  with ${datedChange('$12::text[]', '$10::bigint is null')},
  back as (delete from gone_person where person_id = any($1::text[])),
  -- Only feeds add persons.
  days_shown as (
    update time_account set change = $10::bigint where $10::bigint is not null and person_id = any($1::text[])
      and not exists (select from person_view where person_view.person_id = time_account.person_id)
  ),
  written as (
  insert into person_view as old (person_id, head, master, master_absent, master_change, custom_names, custom_json,
    custom_change, payroll, payroll_absent, payroll_change, time, time_absent, time_change, first_change)
  select person_id, head, master, coalesce(master_absent, ''), change_id,
    ${ofEachCustomField("field ->> 'name'")}, ${ofEachCustomField('field::text')}, change_id,
    payroll, coalesce(payroll_absent, ''), change_id, coalesce(time, ''), coalesce(time_absent, ''), change_id, change_id
  from coalesce($10::bigint, (select id from change)) as change_id,
    unnest($1::text[], ${lines(2)}, ${lines(3)}, ${lines(4)}, ${lines(5)}, ${lines(6)}, ${lines(7)}, ${lines(8)}, ${lines(9)})
    as new (person_id, head, master, master_absent, custom_fields, payroll, payroll_absent, time, time_absent)
  on conflict (person_id) do update set
    master = excluded.master, master_absent = excluded.master_absent,
    custom_names = excluded.custom_names, custom_json = excluded.custom_json,
    payroll = excluded.payroll, payroll_absent = excluded.payroll_absent,
    time = excluded.time, time_absent = excluded.time_absent,
    master_change = case
      when old.master = excluded.master and not old.person_id = any($11::text[]) then old.master_change
      else excluded.master_change end,
    custom_change = case
      when old.custom_json = excluded.custom_json then old.custom_change
      else excluded.custom_change end,
    payroll_change = case
      when old.payroll = excluded.payroll and not old.person_id = any($11::text[]) then old.payroll_change
      else excluded.payroll_change end,
    time_change = case when old.time = excluded.time then old.time_change else excluded.time_change end,
    field_changes = old.field_changes || (
      select coalesce(jsonb_object_agg(name, excluded.first_change), '{}') from (${changedFields}) as changed
    )
  where (old.master, old.custom_json, old.payroll, old.time)
      is distinct from (excluded.master, excluded.custom_json, excluded.payroll, excluded.time)
    or old.person_id = any($11::text[])
  returning person_id, first_change, field_changes
  )
  select person_id as "personId", array(
    select name from jsonb_each_text(field_changes) as field (name, change) where change::bigint = change_id
    union all select 'id' where first_change = change_id
  ) as fields from written, coalesce($10::bigint, (select id from change)) as change_id`;

interface Rendering {
  /** Persons of whom something was written. */
  readonly personIds: readonly string[];
  /** Those of them who gained or lost a mapping: that changes master and payroll, also where it does not show. */
  readonly remapped?: readonly string[];
  /** The reserved change set of a long transaction. Default a new one, dated now. */
  readonly change?: string;
  /** What a new one touches: the fields that may have changed. */
  readonly touched?: readonly string[];
}

/**
 * Locks persons until the transaction ends. Each transaction that writes a person locks it first, so that none renders
 * from data that another has not committed yet.
 */
export async function lockPersons(transaction: Queries, personIds: readonly string[]): Promise<string[]> {
  const held = await transaction.query<{ id: string }>(
    'select person_id as id from person_view where person_id = any($1::text[]) order by person_id for update',
    [personIds],
  );
  return held.map(({ id }) => id);
}

/**
 * Drops the patches of persons, whom the transaction holds, that the feed has overruled: it has other content for the
 * patched property than before the patch, or the person was deleted. If it no longer has the property, the patch stays.
 */
export async function dropOverruledPatches(transaction: Queries, personIds: readonly string[]): Promise<void> {
  await transaction.query(
    `delete from person_patch as patch where person_id = any($1::text[]) and (
      exists (
        select from feed_property as feed
        where feed.person_id = patch.person_id and feed.property = patch.property
          and feed.content is distinct from patch.feed_content
      )
      or not exists (select from source_document as master where master.person_id = patch.person_id and master.kind = 'person')
    )`,
    [personIds],
  );
}

/** Deletes the views of persons whom the master system no longer has, and hides their days. Tells whether there were any. */
export async function deleteViews(
  transaction: Queries,
  personIds: readonly string[],
  change: string,
): Promise<boolean> {
  const deleted = await transaction.query(
    `with deleted as (
      delete from person_view where person_id = any($1::text[])
        and not exists (select from source_document as master where master.kind = 'person' and master.person_id = person_view.person_id)
      returning person_id
    ), ${goneSince('$2::bigint', 'false', 'deleted')}
    select 1 from deleted`,
    [personIds, change],
  );
  return deleted.length > 0;
}

/** SQL for common table expressions that note that persons are gone, and their days with them. */
export function goneSince(change: string, isErased: string, persons: string): string {
  return `gone as (
      insert into gone_person as old (person_id, change, is_erased) select person_id, ${change}, ${isErased} from ${persons}
      on conflict (person_id) do update set change = excluded.change, is_erased = old.is_erased or excluded.is_erased
    ),
    days_hidden as (
      update time_account set change = ${change} from ${persons} where ${persons}.person_id = time_account.person_id
    )`;
}

/**
 * Renders the views of persons, whom the transaction holds, anew from all that is stored of them. A system's fragment
 * that comes out different has changed now; one that comes out the same has not. Persons whom the master system does not
 * know get no view.
 *
 * @returns the persons who changed, each with the fields as in `field_changes`, and `id` of one who came
 */
export async function renderPersons(
  transaction: Queries,
  { personIds, remapped = [], change, touched = [] }: Rendering,
): Promise<readonly { readonly personId: string; readonly fields: readonly string[] }[]> {
  const persons = await transaction.query<PersonSources>(sources, [personIds]);
  const views = persons.map(personFragments);
  const linesOf = (textOf: (view: PersonFragments) => string): string => views.map(textOf).join('\n');
  return transaction.query(upsert, [
    persons.map(({ personId }) => personId),
    linesOf((view) => view.head),
    linesOf((view) => view.master.present),
    linesOf((view) => view.master.absent),
    linesOf((view) => view.customFields),
    linesOf((view) => view.payroll.present),
    linesOf((view) => view.payroll.absent),
    linesOf((view) => view.time.present),
    linesOf((view) => view.time.absent),
    change ?? null,
    remapped,
    touched,
  ]);
}

/** The fields of a person among those of {@link renderPersons}, for the audit. */
export function auditedFields(fields: readonly string[]): string[] {
  return [...new Set(fields.map((name) => name.replace(/ .*/s, '')))].filter((name) => name !== 'id');
}
