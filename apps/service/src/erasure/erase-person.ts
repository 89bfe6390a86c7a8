import type { z } from 'zod';
import type * as models from './personal-data-operations.ts';
import { dateChange, dropChange, openChange, takeImportLock } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { goneSince, lockPersons } from '../persons/person-view.ts';
import { erasable, ownContracts, personalData } from './personal-data.ts';

/** What was erased of a person, and what remains to be known. */
type Erasure = z.output<typeof models.Erasure>;

/**
 * Erases for good what is stored about a person, with every payroll contract that is the person's or was it last, and leaves a
 * tombstone. What stays besides are ids and dates: the audit, and what lists of changes tell until the history of changes ends.
 * `undefined` where nothing is known of the person.
 */
export async function erasePerson(
  transaction: Queries,
  personId: string,
  erasedBy: string,
): Promise<JsonAnswer | undefined> {
  await takeImportLock(transaction);
  await lockPersons(transaction, [personId]);
  // Waits for payments that are being submitted, and lets no other begin.
  await transaction.query('select from mapping where person_id = $1 order by payroll_contract_id for update', [
    personId,
  ]);
  const owned = await transaction.query<{ id: string }>(
    `select payroll_contract_id as id from (${ownContracts}) as own order by 1`,
    [personId],
  );
  const contracts = owned.map(({ id }) => id);
  const change = await openChange(transaction);
  const erased: Record<string, number> = {};
  let elements = 0;
  for (const name of erasable) {
    const { table, where, emptied } = personalData[name];
    const act = emptied
      ? `update ${table} set ${emptied.map((column) => `${column} = null`).join(', ')}, change = $3::bigint`
      : `delete from ${table}`;
    const isLeft = emptied ? `${emptied[0]} is not null` : 'true';
    // oxlint-disable-next-line no-await-in-loop -- a transaction runs one statement at a time
    const [row] = await transaction.query<{ count: number }>(
      // Each statement uses some of its values.
      `with given as (select $1::text, $3::bigint), own as (select unnest($2::text[]) as payroll_contract_id),
      erased as (${act} where ${where} and ${isLeft} returning 1) select count(*)::int as count from erased`,
      [personId, contracts, change],
    );
    erased[name] = row?.count ?? 0;
    elements += erased[name];
  }
  // The mappings that were deleted now have left a row each.
  await transaction.query('delete from former_mapping where person_id = $1', [personId]);
  // Set where something was erased or the person was readmitted, and otherwise the one that is there.
  const [tombstone] = await transaction.query<Omit<Erasure, 'personId' | 'erased'> & { readonly isNew: boolean }>(
    `with erased as (
      select $1 as person_id where $4 or exists (select from tombstone where person_id = $1 and readmitted_at is not null)
    ), ${goneSince('$5::bigint', 'true', 'erased')},
    set as (
      insert into tombstone as old (person_id, payroll_contract_ids, erased_at, erased_by)
      select person_id, $2::text[], clock_timestamp(), $3 from erased
      on conflict (person_id) do update set
        payroll_contract_ids = array(select unnest(old.payroll_contract_ids || excluded.payroll_contract_ids) group by 1 order by 1),
        erased_at = excluded.erased_at, erased_by = excluded.erased_by, readmitted_at = null
      returning payroll_contract_ids, erased_at
    )
    select payroll_contract_ids as "payrollContractIds", to_json(erased_at)#>>'{}' as "erasedAt", is_new as "isNew"
    from (
      select *, true as is_new from set
      union all select payroll_contract_ids, erased_at, false from tombstone where person_id = $1 and not exists (select from erased)
    ) as tombstone`,
    [personId, contracts, erasedBy, elements > 0, change],
  );
  if (tombstone?.isNew) await dateChange(transaction, change, ['id', 'salaries']);
  else await dropChange(transaction, change);
  if (!tombstone) return undefined;
  const { payrollContractIds, erasedAt } = tombstone;
  return { json: JSON.stringify({ personId, payrollContractIds, erasedAt, erased } satisfies Erasure), elements };
}

/** Lets feeds bring an erased person again; `undefined` where none is kept out. The record of the erasure stays. */
export async function readmitPerson(transaction: Queries, personId: string): Promise<JsonAnswer | undefined> {
  const readmitted = await transaction.query(
    'update tombstone set readmitted_at = clock_timestamp() where person_id = $1 and readmitted_at is null returning person_id',
    [personId],
  );
  return readmitted.length === 0 ? undefined : { json: JSON.stringify({ personId }), elements: 1 };
}
