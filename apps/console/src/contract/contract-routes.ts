import { isHrError, type Employment, type Person, type SalaryHistoryEntry, type VariablePayment } from '@hr/client';
import { YearMonth } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import { csv, type CsvColumn } from '@hr/text/write-csv';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { dictionaryOf, type Dictionary } from '../model/labels.ts';
import type { Console } from '../backend/console.ts';
import type { HrCloud } from '../backend/hr-cloud.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { messages } from './messages.ts';
import { salaryTable, type SalaryMonth, type SalaryTable } from './salary-table.ts';

export interface ContractScreen {
  readonly contractId: string;
  /** Who has the contract, from the local copy. It is missing if the copy does not have the contract yet. */
  readonly owner?: ContractOwner | undefined;
  /** When salaries and payments were read from the service. */
  readonly readAt: string;
  readonly salary: SalaryTable;
  /** Approved payments of the range; undefined if the service does not list them for this client. */
  readonly payments?: readonly VariablePayment[] | undefined;
}

export interface ContractOwner {
  readonly personId: string;
  readonly name: string;
  readonly jobTitle?: string | null | undefined;
  readonly employment: Employment;
  /** When the local copy last received the employments. */
  readonly seenAt: string | undefined;
  /** Ids of the person's other contracts. */
  readonly otherContracts: readonly string[];
}

const Range = z.object({ from: YearMonth.optional(), to: YearMonth.optional() });
const CsvQuery = Range.extend({ locale: z.enum(['en', 'de']).default('en') });
const UNSAFE_IN_FILE_NAMES = /[^\w.-]+/g;
/** Responses of a service or a client without the operation: section 4.3 does not state its path. */
const withoutOperation: ReadonlySet<number | undefined> = new Set([403, 404, 405, 501]);

type Parameters = { Params: { id: string } };

/** Adds what the screen Contract shows. */
export function addContractRoutes(app: FastifyInstance, { cloud, records }: Console): void {
  app.get<Parameters>('/bff/contracts/:id', async ({ params: { id }, query }): Promise<ContractScreen> => {
    const range = rangeOf(Range, query);
    const history = await historyOf(cloud, id);
    const salary = salaryTable(history, range);
    for (const component of salary.components) cloud.components.add(component);
    const from = range.from ?? salary.shown?.from;
    const payments = await paymentsOf(cloud, id, { from, to: range.to });
    return { contractId: id, owner: ownerOf(cloud, id), readAt: new Date().toISOString(), salary, payments };
  });

  app.get<Parameters>('/bff/contracts/:id/csv', async ({ params: { id }, query, user }, reply) => {
    const { locale, ...range } = rangeOf(CsvQuery, query);
    const salary = salaryTable(await historyOf(cloud, id), range);
    records.record(user, 'export', id);
    const { from, to } = salary.shown ?? {};
    const name = ['salary', id, from, to].filter(Boolean).join('-').replaceAll(UNSAFE_IN_FILE_NAMES, '_');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .send(salaryCsv(salary, locale, dictionaryOf(records.labels(), locale)));
  });
}

/** A month without an entry has empty cells. */
function salaryCsv({ months, components }: SalaryTable, locale: 'en' | 'de', { nameWithKey }: Dictionary): string {
  const { month, total, base } = messages[locale];
  const columns: CsvColumn<SalaryMonth>[] = [
    { name: month, value: (row) => row.month },
    { name: total, value: (row) => row.total },
    { name: base, value: (row) => row.base },
    ...components.map((id, index) => ({
      name: nameWithKey('compensationComponent', id),
      value: (row: SalaryMonth) => row.values[index] ?? undefined,
    })),
  ];
  return csv(columns, months, locale);
}

function rangeOf<T extends typeof Range>(model: T, query: unknown): z.infer<T> {
  const range = parseInput(model, query);
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) {
    const errors = [{ pointer: '/to', code: 'order', detail: 'must not be before "from"' }];
    throw new Problem('invalid-input', 'The last month is before the first.', { errors });
  }
  return range;
}

async function historyOf({ hr }: HrCloud, id: string): Promise<SalaryHistoryEntry[]> {
  try {
    return await hr.payroll.salaryHistory(id);
  } catch (error) {
    if (!isHrError(error) || error.status !== 404) throw error;
    const detail = 'The service does not know the contract: it has no payroll record, or no person is assigned to it.';
    throw new Problem('not-found', detail, { requestId: error.requestId });
  }
}

async function paymentsOf(
  { hr }: HrCloud,
  id: string,
  { from = '', to = '9999-12' }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<VariablePayment[] | undefined> {
  try {
    const payments = await hr.payroll.variablePayments(id);
    return payments
      .filter(({ billingPeriod }) => billingPeriod === undefined || (billingPeriod >= from && billingPeriod <= to))
      .toSorted((one, other) => ((one.billingPeriod ?? '') < (other.billingPeriod ?? '') ? 1 : -1));
  } catch (error) {
    if (isHrError(error) && withoutOperation.has(error.status)) return undefined;
    throw error;
  }
}

function ownerOf({ mirror }: HrCloud, contract: string): ContractOwner | undefined {
  const [person] = mirror.persons({ contract, limit: 1 });
  const employment = person?.employments?.find(({ payrollContractId }) => payrollContractId === contract);
  if (person === undefined || employment === undefined) return undefined;
  return {
    personId: person.id,
    name: personName(person),
    jobTitle: person.jobTitle,
    employment,
    seenAt: mirror.person(person.id)?.seen['employments']?.at,
    otherContracts: otherContracts(person, contract),
  };
}

function otherContracts({ employments }: Person, contract: string): string[] {
  return (employments ?? []).flatMap(({ payrollContractId: id }) =>
    id === undefined || id === null || id === contract ? [] : [id],
  );
}
