import type { SalaryHistoryEntry } from '@hr/client';
import { monthOf } from '@hr/schemas/rules';
import { sumOf } from '@hr/text/sum-of';
import { monthsBetween } from '../model/calendar.ts';

/** Months from the first to the last, both inclusive. */
interface MonthRange {
  readonly from: string;
  readonly to: string;
}

type AskedRange = { readonly [Name in keyof MonthRange]?: string | undefined };

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

/** The salary history of a contract in a range of months. */
export interface SalaryTable {
  /** The first and last month of the complete history. */
  readonly available?: MonthRange | undefined;
  /** The months that are shown, within the history; undefined if there are none. */
  readonly shown?: MonthRange | undefined;
  /** Ids of the compensation components of these months. */
  readonly components: readonly string[];
  readonly months: readonly SalaryMonth[];
}

/** How many months with entries to show by default. */
const DEFAULT_MONTHS = 24;

/** Selects months of a complete salary history. By default these are the last 24 that have an entry. */
export function salaryTable(history: readonly SalaryHistoryEntry[], asked: AskedRange): SalaryTable {
  const all = history.map((entry) => ({ month: monthOf(entry), entry }));
  const [first, last] = [all[0]?.month, all.at(-1)?.month];
  if (first === undefined || last === undefined) return { components: [], months: [] };
  const available = { from: first, to: last };
  const to = earlier(asked.to ?? last, last);
  const until = all.filter(({ month }) => month <= to);
  const from = later(asked.from ?? until.at(-DEFAULT_MONTHS)?.month ?? until[0]?.month ?? first, first);
  if (from > to) return { available, components: [], months: [] };

  const entries = new Map(all.map(({ month, entry }) => [month, entry]));
  const months = monthsBetween(from, to);
  const ids = months.flatMap(
    (month) => entries.get(month)?.values?.map((value) => value.compensationComponentId) ?? [],
  );
  const components = [...new Set(ids)].toSorted((one, other) => (one < other ? -1 : 1));
  return {
    available,
    shown: { from, to },
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

const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one > other ? one : other);
