import type { ListOperationId, WireNames } from '@hr/schemas';
import { addDays } from '../fixtures/calendar.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { extremeOf, lists, ownNames, rowOf } from '../model/lists.ts';
import type { Cloud, Exchange } from './cloud.ts';
import type { CloudRequest } from './cloud-request.ts';
import type { ReadList } from './conform-run.ts';

const UNKNOWN_NAME = 'hrConformUnknown';
/** Windows until today for lists that require one, the shortest first. */
const WINDOW_DAYS = [31, 366];

// The names of both ends of a window are in the same order.
const candidates: Readonly<Record<string, readonly string[]>> = {
  changedSince: ['changedSince', 'modifiedSince', 'updatedSince', 'since', 'changedAfter', 'changeDate', 'date'],
  from: ['from', 'startDate', 'fromDate', 'dateFrom', 'start', 'begin', 'fromMonth', 'startMonth', 'firstMonth'],
  to: ['to', 'endDate', 'toDate', 'dateTo', 'end', 'until', 'toMonth', 'endMonth', 'lastMonth'],
  billingPeriod: ['billingPeriod', 'period', 'month', 'payrollPeriod', 'targetPeriod'],
};

/** The date of today, or this many days later. */
export function today(days = 0): string {
  return addDays(new Date().toISOString().slice(0, 10), days);
}

/** The names in the URL by our names; without those that were not found. */
export type FoundNames = Readonly<Record<string, string>>;

/** Names to try for a query parameter, ours first. */
export function namesToTry(operation: string, parameter: string): readonly string[] {
  const names = [ownNames[operation]?.[parameter] ?? parameter, ...(candidates[parameter] ?? [])];
  return [...new Set(names.flatMap((name) => spellingsOf(name)))];
}

/** A name in camel case, snake case and kebab case. */
function spellingsOf(name: string): string[] {
  return [name, ...['_', '-'].map((joint) => name.replaceAll(/[A-Z]/g, (letter) => joint + letter.toLowerCase()))];
}

/**
 * Tries names of query parameters: the right one changes the list. If none does, it is the first one that is accepted
 * where an unknown one is not.
 */
export async function findNames(
  cloud: Cloud,
  operation: ListOperationId,
  { request, rows }: ReadList,
  known: FoundNames,
): Promise<FoundNames> {
  const probe = async (name: string, value: string): Promise<{ status: number; count: number }> => {
    let count = 0;
    const { status } = await cloud.send({ ...request, query: { ...request.query, [name]: value } }, (element) => {
      count += lists[operation].rows(rowOf(element) ?? {}).length;
      return count < rows.length;
    });
    return { status, count };
  };
  const found: Record<string, string> = { ...known };
  // oxlint-disable no-await-in-loop -- the first name that fits
  for (const parameter of Object.keys(ownNames[operation] ?? {})) {
    // Our extension has one name.
    if (found[parameter] !== undefined || parameter === 'after') continue;
    const value = extremeOf(operation, parameter);
    const unknown = await probe(UNKNOWN_NAME, value);
    // No name changes an empty list.
    if (unknown.status === 200 && rows.length === 0) continue;
    for (const name of namesToTry(operation, parameter)) {
      const { status, count } = await probe(name, value);
      if (status !== 200) continue;
      if (unknown.status !== 200) found[parameter] ??= name;
      if (rows.length > 0 && count >= rows.length) continue;
      found[parameter] = name;
      break;
    }
  }
  // oxlint-enable no-await-in-loop
  return found;
}

/** The dates or months of a window until today. */
export type Dates = Readonly<Record<'from' | 'to', string>>;

/** Whether a list with two dates is rejected without them. */
export function needsDates({ request: { operation, query = {} }, status }: Exchange): boolean {
  return [400, 422].includes(status) && Object.keys(query).length === 0 && hasWindow(operation);
}

/** Whether a list has parameters for two dates or months. */
export function hasWindow(operation: string): boolean {
  return 'from' in (ownNames[operation] ?? {});
}

/** Finds the names of both ends of a window that a list requires, and the shortest window that has elements. */
export async function findWindow(
  cloud: Cloud,
  request: CloudRequest,
  known: FoundNames,
): Promise<{ readonly names: FoundNames; readonly window?: Dates }> {
  const { operation } = request;
  if (!hasWindow(operation) || !needsDates(await cloud.send(request, () => false))) return { names: known };
  const { length } = extremeOf(operation, 'from');
  const ends = namesToTry(operation, 'to');
  for (const [at, start] of namesToTry(operation, 'from').entries()) {
    const { from = start, to = ends[at] ?? '' } = known;
    const found: { names: FoundNames; window?: Dates } = { names: { ...known, from, to } };
    let isEmpty = true;
    for (const days of WINDOW_DAYS) {
      const window = { from: today(-days).slice(0, length), to: today().slice(0, length) };
      const query = { [from]: window.from, [to]: window.to };
      // oxlint-disable-next-line no-await-in-loop -- the first names that fit, and the first window that is not empty
      const { status } = await cloud.send({ ...request, query }, () => (isEmpty = false));
      if (status === 200) found.window = window;
      if (status !== 200 || !isEmpty) break;
    }
    if (found.window) return found;
  }
  return { names: known };
}

/** Names that `createHrClient` needs, because they differ from ours. */
export function differingNames(names: Readonly<Record<string, FoundNames>>): WireNames {
  const differing = Object.entries(names).map(([operation, found]) => {
    const others = Object.entries(found).filter(([name, wireName]) => wireName !== ownNames[operation]?.[name]);
    return [operation, Object.fromEntries(others)] as const;
  });
  return Object.fromEntries(differing.filter(([, others]) => Object.keys(others).length > 0));
}

/** @throws {HrTestingError} `invalid-option` for an unknown operation or parameter. */
export function checkWireNames(names: WireNames): void {
  for (const [operation, own] of Object.entries(names))
    for (const [parameter, name] of Object.entries(own as FoundNames))
      if (ownNames[operation]?.[parameter] === undefined || !name)
        throw invalidOption(`"wireNames" has an unknown name at ${operation}.${parameter}. Correct it.`);
}
