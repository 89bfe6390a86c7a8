import type { OutboxEntry } from '@hr/client/mirror';
import type { PaymentCount, OperatorClient, OperatorPayment, PaymentFilter } from './operator-client.ts';
import type { Console } from './console.ts';
import { contractPersons, contractRights } from './contract-persons.ts';
import type { Asker } from './sessions.ts';
import type { View } from './view.ts';

type ListQuery = Parameters<OperatorClient['payments']>[0];

/** Lists the payments that somebody sees, the oldest first. Of the newest ones of some contracts each, the newest are those of all. */
export async function listSeen(operator: OperatorClient, view: View, query: ListQuery): Promise<OperatorPayment[]> {
  const contracts = seenContracts(view, query);
  if (contracts === undefined) return await operator.payments(query);
  const listed = await operator.withEach('payrollContractId', contracts, (list) =>
    operator.payments({ ...query, ...list }),
  );
  const sorted = listed.toSorted(({ id: one }, { id: other }) => one.length - other.length || (one < other ? -1 : 1));
  const { last = Infinity, limit = Infinity } = query;
  return sorted.slice(-Number(last)).slice(0, Number(limit));
}

/** Counts the payments that somebody sees, by billing period and state. There may be several counts of the same. */
export async function countSeen(
  operator: OperatorClient,
  view: View,
  query: PaymentFilter & { readonly sums?: 'true' },
): Promise<PaymentCount[]> {
  const contracts = seenContracts(view, query);
  if (contracts === undefined) return await operator.countPayments(query);
  return await operator.withEach('payrollContractId', contracts, (list) =>
    operator.countPayments({ ...query, ...list }),
  );
}

/** The contracts with pay that somebody sees, of those that are asked for; undefined if these are all. */
function seenContracts(view: View, { payrollContractId }: PaymentFilter): readonly string[] | undefined {
  if (view.mayForAll('pay')) return undefined;
  const asked = payrollContractId === undefined ? undefined : new Set(payrollContractId.split(','));
  return [...contractPersons(view)].flatMap(([contract, { id }]) =>
    (asked?.has(contract) ?? true) && view.may(id, 'pay') ? contract : [],
  );
}

/**
 * Whether somebody made a batch, or sees all of its payments. Its totals also have discarded payments, whose contracts
 * are not stored any more.
 */
export function seesBatch({ records, cloud }: Console, { user, view }: Asker, id: string): boolean {
  if (view.mayForAll('pay') || records.submitters(id)[0] === user.id) return true;
  const may = contractRights(view);
  const rows = records.batchRows(id) as Pick<OutboxEntry, 'contractId'>[];
  const payments = [
    ...rows.map(({ contractId }, index) => ({ contractId, row: index + 1 })),
    ...cloud.outbox.entries({ batch: id }),
  ];
  return (
    new Set(payments.map(({ row }) => row)).size === records.batch(id)?.totals.payments &&
    payments.every(({ contractId }) => may(contractId, 'pay'))
  );
}
