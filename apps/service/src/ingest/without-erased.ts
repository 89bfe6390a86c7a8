import type { Queries } from '../database/database.ts';
import type { FeedRecord } from './feed-record.ts';

/**
 * The records without those of persons who were erased, and of the payroll contracts that were erased with them. A
 * contract that is now mapped to somebody else is no longer kept out.
 */
export async function withoutErased(
  transaction: Queries,
  records: readonly FeedRecord[],
): Promise<readonly FeedRecord[]> {
  const news = records.filter(({ deletes }) => !deletes);
  const tombstones = await transaction.query<{ personId: string; payrollContractIds: string[] }>(
    `select person_id as "personId", payroll_contract_ids as "payrollContractIds" from tombstone
    where person_id = any($1::text[]) or payroll_contract_ids && $2::text[]`,
    [distinct(news.map(personOf)), distinct(news.map(contractOf))],
  );
  if (tombstones.length === 0) return records;
  const persons = new Set(tombstones.map(({ personId }) => personId));
  const contracts = new Set(tombstones.flatMap(({ payrollContractIds }) => payrollContractIds));
  const isErased = (record: FeedRecord): boolean => persons.has(personOf(record) ?? '');
  const moved = news.flatMap((record) =>
    record.kind === 'mapping' && !isErased(record) ? (contractOf(record) ?? []) : [],
  );
  await letBack(
    transaction,
    moved.filter((contract) => contracts.delete(contract)),
  );
  return records.filter((record) => record.deletes || !(isErased(record) || contracts.has(contractOf(record) ?? '')));
}

async function letBack(transaction: Queries, contracts: readonly string[]): Promise<void> {
  if (contracts.length === 0) return;
  await transaction.query(
    `update tombstone set payroll_contract_ids = array(select unnest(payroll_contract_ids) except select unnest($1::text[]) order by 1)
    where payroll_contract_ids && $1::text[]`,
    [contracts],
  );
}

function personOf({ key, values }: FeedRecord): string | undefined {
  return key['person_id'] ?? values['person_id'] ?? undefined;
}

function contractOf({ key }: FeedRecord): string | undefined {
  return key['payroll_contract_id'] ?? undefined;
}

function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
