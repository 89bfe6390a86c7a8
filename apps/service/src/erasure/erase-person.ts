import type { z } from 'zod';
import type * as models from '../operator/operator-models.ts';
import { datedChange, takeImportLock } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { limitLockWaits, lockPersons } from '../persons/person-view.ts';
import { erasable, personalData } from './personal-data.ts';

/** What was erased of a person, and what remains to be known. */
type Erasure = z.output<typeof models.Erasure>;

/**
 * Erases for good what is stored about a person and leaves a tombstone. The audit stays: it holds ids alone.
 * `undefined` where nothing is known of the person.
 */
export async function erasePerson(
  transaction: Queries,
  personId: string,
  erasedBy: string,
): Promise<JsonAnswer | undefined> {
  await limitLockWaits(transaction);
  await takeImportLock(transaction);
  await lockPersons(transaction, [personId]);
  // Waits for payments that are being submitted, and lets no other begin.
  const mappings = await transaction.query<{ id: string }>(
    'select payroll_contract_id as id from mapping where person_id = $1 order by payroll_contract_id for update',
    [personId],
  );
  const erased: Record<string, number> = {};
  let elements = 0;
  for (const name of erasable) {
    const { table, where } = personalData[name];
    // oxlint-disable-next-line no-await-in-loop -- a transaction runs one statement at a time
    const [deleted] = await transaction.query<{ count: number }>(
      `with deleted as (delete from ${table} where ${where} returning 1) select count(*)::int as count from deleted`,
      [personId],
    );
    erased[name] = deleted?.count ?? 0;
    elements += erased[name];
  }
  const tombstone = await setTombstone(transaction, {
    personId,
    erasedBy,
    elements,
    contracts: mappings.map(({ id }) => id),
  });
  return tombstone && { json: JSON.stringify({ personId, ...tombstone, erased } satisfies Erasure), elements };
}

type Tombstone = Pick<Erasure, 'payrollContractIds' | 'erasedAt'>;

interface Remains {
  readonly personId: string;
  readonly contracts: readonly string[];
  readonly erasedBy: string;
  readonly elements: number;
}

/** Sets a person's tombstone where something was erased, and otherwise finds the one that is there. */
async function setTombstone(
  transaction: Queries,
  { personId, contracts, erasedBy, elements }: Remains,
): Promise<Tombstone | undefined> {
  const [tombstone] = await transaction.query<Tombstone>(
    `with ${datedChange('$4')},
    set as (
      insert into tombstone as old (person_id, payroll_contract_ids, change, erased_at, erased_by)
      select $1, $2::text[], id, clock_timestamp(), $3 from change
      on conflict (person_id) do update set
        payroll_contract_ids = array(select unnest(old.payroll_contract_ids || excluded.payroll_contract_ids) group by 1 order by 1),
        change = excluded.change, erased_at = excluded.erased_at, erased_by = excluded.erased_by
      returning *
    )
    select payroll_contract_ids as "payrollContractIds", to_json(erased_at)#>>'{}' as "erasedAt"
    from (select * from set union all select * from tombstone where person_id = $1 and not $4) as tombstone`,
    [personId, contracts, erasedBy, elements > 0],
  );
  return tombstone;
}

/** Removes a person's tombstone, so that feeds may bring the person again; `undefined` where there is none. */
export async function readmitPerson(transaction: Queries, personId: string): Promise<JsonAnswer | undefined> {
  const removed = await transaction.query('delete from tombstone where person_id = $1 returning person_id', [personId]);
  return removed.length === 0 ? undefined : { json: JSON.stringify({ personId }), elements: 1 };
}
