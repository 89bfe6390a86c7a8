import { isHrError, type CallOptions, type HrClient, type SalaryHistoryEntry } from '@hr/client';
import type { Mirror } from '@hr/client/mirror';
import type { Context } from './context.ts';
import { salaryKind } from './output/record-kinds.ts';
import { fromMirror } from './up-to-date-mirror.ts';

interface Months {
  readonly from?: string;
  readonly to?: string;
}

/** `hr salary history`: the salaries of some contracts or of everyone. */
export async function history(context: Context, contracts: readonly string[], months: Months): Promise<void> {
  const hr = await context.client();
  const load = (id: string, call: CallOptions) => hr.payroll.salaryHistory(id, months, call);
  const rows = contracts.length > 0 ? context.bulkRows('Reading salaries:', contracts, load) : all(context, hr, months);
  await context.write(salaryKind, rows);
}

/** The salaries of everyone: one list, or those of the contracts of the local copy where the HR Cloud has no such list. */
async function* all(context: Context, hr: HrClient, months: Months): AsyncGenerator<SalaryHistoryEntry> {
  try {
    yield* hr.payroll.allSalaries(months, { signal: context.signal, timeout: false });
    return;
  } catch (error) {
    const isMissing =
      isHrError(error) && (error.code === 'not-found' || error.code === 'forbidden' || error.status === 405);
    if (!isMissing) throw error;
  }
  const load = async (id: string, call: CallOptions): Promise<readonly SalaryHistoryEntry[]> => {
    try {
      return await hr.payroll.salaryHistory(id, months, call);
    } catch (error) {
      // It ended after the local copy was brought up to date.
      if (isHrError(error) && error.code === 'not-found') return [];
      throw error;
    }
  };
  yield* context.bulkRows('Reading salaries of contracts:', fromMirror(context, {}, contractIds), load);
}

function* contractIds(mirror: Mirror): Generator<string, void, undefined> {
  for (const { employments } of mirror.persons()) {
    for (const { payrollContractId } of employments ?? []) if (payrollContractId) yield payrollContractId;
  }
}
