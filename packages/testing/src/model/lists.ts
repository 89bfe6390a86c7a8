import { operations, wireNames, type ListOperationId, type Operation } from '@hr/schemas';
import { matchesAbsenceFilter, monthOf, withinMonths } from '@hr/schemas/rules';
import { compareCodePoints } from '../fake/compare.ts';

export type Row = Readonly<Record<string, unknown>>;
/** Query parameters with the names of the operation table. */
type Window = Readonly<Record<string, string>>;

/** What a list means (docs/decisions). A row is what a filter keeps or omits. */
interface ListMeaning {
  readonly rows: (element: Row) => readonly Row[];
  /** The order of rows. It is unique for each element. */
  readonly key: (row: Row) => readonly string[];
  /** The dates or months that filters compare. */
  readonly dates: (row: Row) => readonly unknown[];
  readonly keeps: (row: Row, window: Window) => boolean;
  /** The path parameter that each row repeats, and its field. */
  readonly owner?: readonly [parameter: string, field: string];
  /** Whether rows with the same key are no duplicates. */
  readonly isRepeatable?: true;
}

/** An object as a row; `undefined` in place of anything else. */
export function rowOf(element: unknown): Row | undefined {
  return typeof element === 'object' && element !== null && !Array.isArray(element) ? (element as Row) : undefined;
}

/** A text, or an empty one in place of anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
const itself = (element: Row): readonly Row[] => [element];
const monthIn = ({ year, month }: Row): string => monthOf({ year: Number(year), month: Number(month) });

const datesOfAbsence: Pick<ListMeaning, 'dates' | 'keeps'> = {
  dates: ({ startDate, endDate }) => [startDate, endDate],
  keeps: (row, window) => matchesAbsenceFilter(row as { startDate: string }, window),
};
const monthOfSalary: Pick<ListMeaning, 'dates' | 'keeps'> = {
  dates: (row) => [monthIn(row)],
  keeps: (row, window) => withinMonths(monthIn(row), window),
};

export const lists: Readonly<Record<ListOperationId, ListMeaning>> = {
  listPersons: { rows: itself, key: ({ id }) => [textOf(id)], dates: () => [], keeps: () => true },
  listTimeBookings: {
    rows: ({ personId, days }) => (Array.isArray(days) ? (days as Row[]).map((day) => ({ ...day, personId })) : []),
    key: ({ personId, date }) => [textOf(personId), textOf(date)],
    dates: ({ date }) => [date],
    keeps: ({ date }, window) => withinMonths(textOf(date), window),
  },
  listAllAbsences: {
    rows: itself,
    key: ({ personId, startDate, id }) => [textOf(personId), textOf(startDate), textOf(id)],
    ...datesOfAbsence,
  },
  listAbsences: {
    rows: itself,
    key: ({ startDate, id }) => [textOf(startDate), textOf(id)],
    ...datesOfAbsence,
    owner: ['personId', 'personId'],
  },
  listSalaryHistory: {
    rows: itself,
    key: (row) => [monthIn(row)],
    ...monthOfSalary,
    owner: ['contractId', 'payrollContractId'],
  },
  listAllSalaries: {
    rows: itself,
    key: (row) => [textOf(row['payrollContractId']), monthIn(row)],
    ...monthOfSalary,
  },
  listVariablePayments: {
    rows: itself,
    key: ({ billingPeriod }) => [textOf(billingPeriod)],
    dates: ({ billingPeriod }) => [billingPeriod],
    keeps: (row, { billingPeriod }) => row['billingPeriod'] === (billingPeriod ?? row['billingPeriod']),
    owner: ['contractId', 'payrollContractId'],
    isRepeatable: true,
  },
  // In the order of their submission, which they do not show.
  listVariablePaymentDecisions: { rows: itself, key: () => [], dates: () => [], keeps: () => true, isRepeatable: true },
  listWebhookEndpoints: {
    rows: itself,
    key: ({ createdAt, id }) => [textOf(createdAt), textOf(id)],
    dates: () => [],
    keeps: () => true,
  },
  // In the order of the attempts: two can begin at the same time.
  listWebhookDeliveries: { rows: itself, key: () => [], dates: () => [], keeps: () => true, isRepeatable: true },
};

/** Compares the keys of rows part by part, as the API orders them. */
export function compareKeys(one: readonly string[], other: readonly string[]): number {
  const differing = one.findIndex((part, at) => part !== other[at]);
  return differing < 0 ? 0 : compareCodePoints(one[differing] ?? '', other[differing] ?? '');
}

/** Our own names of parameters, and the operation table, for names that are known only at run time. */
export const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = wireNames;
export const table: Readonly<Record<string, Operation>> = operations;
/** The lists of what persons and contracts have. */
export const listIds = (Object.keys(lists) as readonly ListOperationId[]).filter((id) => !id.includes('Webhook'));

/** The earliest or latest value that a parameter accepts, for which a list without open ends is empty. */
export function extremeOf(operation: string, parameter: string): string {
  const model = table[operation]?.query.shape[parameter] as { safeParse(value: unknown): { success: boolean } };
  const date = parameter === 'from' || parameter === 'changedSince' ? '9999-12-31' : '0001-01-01';
  return model.safeParse(date).success ? date : date.slice(0, 7);
}
