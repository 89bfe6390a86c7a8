import { isHrError, type SalaryHistoryEntry } from '@hr/client';
import type { Mirror } from '@hr/client/mirror';
import type { Context } from './context.ts';
import { inOrder } from './in-order.ts';
import { salaryKind } from './output/record-kinds.ts';
import { fromMirror } from './up-to-date-mirror.ts';

/** `hr salary history`: the salaries of some contracts or, with the contracts of the local copy, of everyone. */
export async function history(
  context: Context,
  contracts: readonly string[],
  months: { from?: string; to?: string },
): Promise<void> {
  const hr = await context.client();
  const load = (id: string) => hr.payroll.salaryHistory(id, months, { signal: context.signal });
  if (contracts.length > 0) {
    await context.write(salaryKind, inOrder(contracts, load));
    return;
  }
  using progress = context.progress('Reading salaries of contracts:');
  const isOnScreen = context.terminal.stdout.isTTY === true && context.flags.out === undefined;
  let done = 0;
  const loadIfFound = async (id: string): Promise<readonly SalaryHistoryEntry[]> => {
    // Rows and progress on one terminal would be in each other's way.
    if (!isOnScreen) progress.update(++done);
    try {
      return await load(id);
    } catch (error) {
      // It ended after the local copy was brought up to date.
      if (isHrError(error) && error.code === 'not-found') return [];
      throw error;
    }
  };
  await context.write(salaryKind, inOrder(fromMirror(context, {}, contractIds), loadIfFound));
}

function* contractIds(mirror: Mirror): Generator<string, void, undefined> {
  for (const { employments } of mirror.persons()) {
    for (const { payrollContractId } of employments ?? []) if (payrollContractId) yield payrollContractId;
  }
}
