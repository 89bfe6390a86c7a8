import { isHrError, type SalaryHistoryEntry, type VariablePayment } from '@hr/client';
import { YearMonth } from '@hr/schemas';
import { monthOf } from '@hr/schemas/rules';
import { personName } from '@hr/text/person-name';
import { sumOf } from '@hr/text/sum-of';
import { csv, type CsvColumn } from '@hr/text/write-csv';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { monthsBetween } from '../model/calendar.ts';
import { dictionaryOf, type Dictionary } from '../model/labels.ts';
import type { Console } from '../backend/console.ts';
import { contractRights } from '../backend/contract-persons.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import type { View } from '../backend/view.ts';
import type { Locale } from '../shell/locale.tsx';
import { messages } from './messages.ts';

export type ContractScreen = Awaited<ReturnType<typeof contractScreen>>;
/** The salary history of a contract in a range of months. */
export type SalaryTable = ReturnType<typeof salaryTable>;

/** What the service states of a month. */
export interface SalaryMonth {
  /** `YYYY-MM`. */
  readonly month: string;
  /** Without an entry the month is a gap, which is not zero. */
  readonly hasEntry: boolean;
  readonly total?: number | undefined;
  readonly base?: number | undefined;
  /** By the order of the components; null if the month does not have one. */
  readonly values: readonly (number | null)[];
  /** The sum of the components, only if it is not the total. */
  readonly differentSum?: number | undefined;
}

/** How many months with entries to show by default. */
const DEFAULT_MONTHS = 24;
const Range = z.object({ from: YearMonth.optional(), to: YearMonth.optional() });
const CsvQuery = Range.extend({ locale: z.enum(['en', 'de']).default('en') });
const UNSAFE_IN_FILE_NAMES = /[^\w.-]+/g;
/** Responses of a service or a client without the operation: section 4.3 does not state its path. */
const withoutOperation: ReadonlySet<number | undefined> = new Set([403, 404, 405, 501]);

type Parameters = { Params: { id: string } };

/** Adds what the screen Contract shows. */
export function addContractRoutes(app: FastifyInstance, { cloud, records }: Console): void {
  app.get<Parameters>('/bff/contracts/:id', ({ view, params, query }) =>
    contractScreen(cloud, view, params.id, rangeOf(Range, query)),
  );

  app.get<Parameters>('/bff/contracts/:id/csv', async ({ params: { id }, query, user, view }, reply) => {
    const { locale, ...range } = rangeOf(CsvQuery, query);
    if (!seesPay(view, id)) throw new Problem('forbidden', 'This needs a grant with pay for the person.');
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

/** @throws {Problem} `not-found` if the person who asks does not see the person of the contract. */
function seesPay(view: View, contractId: string): boolean {
  const may = contractRights(view);
  if (may(contractId, 'pay')) return true;
  if (ownerOf(view, contractId) === undefined) throw unknownContract();
  return false;
}

async function contractScreen(
  cloud: Console['cloud'],
  view: View,
  contractId: string,
  { from, to }: z.infer<typeof Range>,
) {
  const hasPay = seesPay(view, contractId);
  const history = await historyOf(cloud, contractId);
  const salary = salaryTable(
    hasPay ? history : history.map(({ payrollContractId, year, month }) => ({ payrollContractId, year, month })),
    { from, to },
  );
  for (const component of salary.components) cloud.components.add(component);
  return {
    contractId,
    /** Who has the contract. It is missing if the local copy does not have the contract yet. */
    owner: ownerOf(view, contractId),
    /** When salaries and payments were read from the service. */
    readAt: new Date().toISOString(),
    /** Only the months that have an entry for those who do not see pay. */
    salary,
    hasPay,
    /** Approved payments of the range; undefined if the service does not list them for this client. */
    payments: hasPay ? await paymentsOf(cloud, contractId, from ?? salary.shown?.from, to) : undefined,
  };
}

/** A month without an entry has empty cells. */
function salaryCsv({ months, components }: SalaryTable, locale: Locale, { nameWithKey }: Dictionary): string {
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

async function historyOf({ hr }: Console['cloud'], id: string): Promise<SalaryHistoryEntry[]> {
  try {
    return await hr.payroll.salaryHistory(id);
  } catch (error) {
    if (!isHrError(error) || error.status !== 404) throw error;
    throw unknownContract(error.requestId);
  }
}

function unknownContract(requestId?: string): Problem {
  const detail = 'The service does not know the contract: it has no payroll record, or no person is assigned to it.';
  return new Problem('not-found', detail, { requestId });
}

async function paymentsOf(
  { hr }: Console['cloud'],
  id: string,
  from = '',
  to = '9999-12',
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

function ownerOf(view: View, contract: string) {
  const [person] = view.persons({ contract, limit: 1 });
  const employment = person?.employments?.find(({ payrollContractId }) => payrollContractId === contract);
  if (person === undefined || employment === undefined) return undefined;
  const contracts = person.employments?.map(({ payrollContractId }) => payrollContractId) ?? [];
  return {
    personId: person.id,
    name: personName(person),
    jobTitle: person.jobTitle,
    employment,
    /** When the local copy last received the employments. */
    seenAt: view.person(person.id)?.seen['employments']?.at,
    otherContracts: contracts.filter((id) => id !== contract),
  };
}

/** Selects months of a complete salary history. By default these are the last 24 that have an entry. */
export function salaryTable(history: readonly SalaryHistoryEntry[], asked: z.infer<typeof Range>) {
  const entries = new Map(history.map((entry) => [monthOf(entry), entry]));
  const stated = [...entries.keys()];
  const [first = '', last = ''] = [stated[0], stated.at(-1)];
  const to = asked.to !== undefined && asked.to < last ? asked.to : last;
  const latest = stated.filter((month) => month <= to).slice(-DEFAULT_MONTHS);
  const wanted = asked.from ?? latest[0] ?? first;
  const from = wanted > first ? wanted : first;
  const months = stated.length === 0 ? [] : monthsBetween(from, to);
  const ids = months.flatMap((month) => entries.get(month)?.values?.map((one) => one.compensationComponentId) ?? []);
  const components = [...new Set(ids)].toSorted((one, other) => (one < other ? -1 : 1));
  return {
    /** The first and last month of the complete history. */
    available: stated.length === 0 ? undefined : { from: first, to: last },
    /** The months that are shown, within the history; undefined if there are none. */
    shown: months.length === 0 ? undefined : { from, to },
    /** Ids of the compensation components of these months. */
    components,
    months: months.map((month) => salaryMonth(month, entries.get(month), components)),
  };
}

function salaryMonth(month: string, entry: SalaryHistoryEntry | undefined, components: readonly string[]): SalaryMonth {
  if (entry === undefined) return { month, hasEntry: false, values: components.map(() => null) };
  const [total, base] = [entry.totalSalary ?? undefined, entry.baseSalary ?? undefined];
  const values = components.map((id) => {
    const found = (entry.values ?? []).filter((value) => value.compensationComponentId === id);
    const amounts = found.flatMap(({ value }) => value ?? []);
    return amounts.length === 0 ? null : sumOf(amounts);
  });
  const stated = values.filter((value) => value !== null);
  const differs = total !== undefined && stated.length > 0 && !isSum(total, stated);
  return { month, hasEntry: true, total, base, values, ...(differs && { differentSum: sumOf(stated) }) };
}

const add = (sum: number, value: number): number => sum + value;

/** Whether a total is the sum of values, as exactly as a sum of doubles can tell. */
function isSum(total: number, values: readonly number[]): boolean {
  const size = values.map(Math.abs).reduce(add, Math.abs(total));
  return Math.abs(values.reduce(add, 0) - total) <= size * Number.EPSILON * values.length;
}
