import type { Queries } from '../database/database.ts';
import type { FeedRecord } from './feed-record.ts';

/**
 * Removes the records of persons who were erased, and of the payroll contracts that were erased with them. A contract that
 * the feed now maps to an erased person is erased too, and one that it maps to another person is admitted again.
 */
export async function applyErasure(
  transaction: Queries,
  records: readonly FeedRecord[],
): Promise<readonly FeedRecord[]> {
  const incoming = records.filter(({ deletes }) => !deletes);
  const tombstones = await transaction.query<{ personId: string; payrollContractIds: string[] }>(
    `select person_id as "personId", payroll_contract_ids as "payrollContractIds" from tombstone
    where readmitted_at is null and (person_id = any($1::text[]) or payroll_contract_ids && $2::text[])`,
    [[...new Set(incoming.map(personOf))], [...new Set(incoming.map(contractOf))]],
  );
  if (tombstones.length === 0) return records;
  const persons = new Set<string | null>(tombstones.map(({ personId }) => personId));
  const contracts = new Set<string | null>(tombstones.flatMap(({ payrollContractIds }) => payrollContractIds));
  // The last mapping of a contract counts.
  const owners = new Map(
    incoming.flatMap((record) => (record.kind === 'mapping' ? [[contractOf(record), personOf(record)] as const] : [])),
  );
  const readmitted = [...owners].filter(([contract, person]) => contracts.has(contract) && !persons.has(person));
  const excluded = [...owners].filter(([contract, person]) => !contracts.has(contract) && persons.has(person));
  if (readmitted.length > 0) {
    await transaction.query(
      `update tombstone set payroll_contract_ids = array(select unnest(payroll_contract_ids) except select unnest($1::text[]) order by 1)
      where payroll_contract_ids && $1::text[]`,
      [readmitted.map(([contract]) => contract)],
    );
  }
  const unmapped = new Set(excluded.length > 0 ? await excludeContracts(transaction, excluded) : []);
  for (const [contract] of readmitted) contracts.delete(contract);
  for (const [contract] of excluded) contracts.add(contract);
  return records.flatMap((record) => {
    if (record.deletes || !(persons.has(personOf(record)) || contracts.has(contractOf(record)))) return [record];
    const takesFromOther = record.kind === 'mapping' && unmapped.delete(contractOf(record) ?? '');
    return takesFromOther ? [{ ...record, deletes: true, values: {} }] : [];
  });
}

/**
 * Excludes payroll contracts that the feed maps to erased persons, and erases those without a mapping: what is left of them
 * is of the erased person, whose mapping was deleted before. No payment is submitted meanwhile, as that needs a mapping.
 * Returns those that are mapped to another person.
 */
async function excludeContracts(
  transaction: Queries,
  owners: readonly (readonly [contract: string | null, person: string | null])[],
): Promise<string[]> {
  const [found] = await transaction.query<{ mapped: string[] }>(
    `with owner as (select * from unnest($1::text[], $2::text[]) as owner (payroll_contract_id, person_id)),
    excluded as (
      update tombstone set payroll_contract_ids = array(
        select unnest(payroll_contract_ids) union select payroll_contract_id from owner where owner.person_id = tombstone.person_id order by 1
      ) where person_id = any($2::text[])
    ),
    mapped as (select payroll_contract_id from mapping where payroll_contract_id = any($1::text[])),
    unmapped as (select payroll_contract_id from owner except select payroll_contract_id from mapped),
    contracts as (delete from contract where payroll_contract_id in (select payroll_contract_id from unmapped)),
    salaries as (delete from salary_entry where payroll_contract_id in (select payroll_contract_id from unmapped)),
    -- Their idempotency keys are deleted with them.
    payments as (delete from variable_payment where payroll_contract_id in (select payroll_contract_id from unmapped))
    select array(select payroll_contract_id from mapped) as mapped`,
    [owners.map(([contract]) => contract), owners.map(([, person]) => person)],
  );
  return found?.mapped ?? [];
}

function personOf({ key, values }: FeedRecord): string | null {
  return key['person_id'] ?? values['person_id'] ?? null;
}

function contractOf({ key }: FeedRecord): string | null {
  return key['payroll_contract_id'] ?? null;
}
