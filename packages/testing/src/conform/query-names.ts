import type { ListOperationId, WireNames } from '@hr/schemas';
import { extremeOf, lists, ownNames, rowOf } from '../model/lists.ts';
import type { Cloud } from './cloud.ts';
import type { ReadList } from './conform-run.ts';

const UNKNOWN_NAME = 'hrConformUnknown';

const candidates: Readonly<Record<string, readonly string[]>> = {
  changedSince: ['changedSince', 'modifiedSince', 'updatedSince', 'since', 'changedAfter', 'changeDate', 'date'],
  from: ['from', 'startDate', 'fromDate', 'dateFrom', 'start', 'begin', 'fromMonth', 'startMonth', 'firstMonth'],
  to: ['to', 'endDate', 'toDate', 'dateTo', 'end', 'until', 'toMonth', 'endMonth', 'lastMonth'],
  billingPeriod: ['billingPeriod', 'period', 'month', 'payrollPeriod', 'targetPeriod'],
};

/** The names in the URL by our names; without those that were not found. */
export type FoundNames = Readonly<Record<string, string>>;

/** Tries names of query parameters: the right one changes the list, or is not rejected as an unknown one is. */
export async function findNames(
  cloud: Cloud,
  operation: ListOperationId,
  { request, rows }: ReadList,
): Promise<FoundNames> {
  const probe = async (name: string, value: string): Promise<{ status: number; count: number }> => {
    let count = 0;
    const { status } = await cloud.send({ ...request, query: { [name]: value } }, (element) => {
      count += lists[operation].rows(rowOf(element) ?? {}).length;
      return count < rows.length;
    });
    return { status, count };
  };
  const found: Record<string, string> = { ...ownNames[operation] };
  // oxlint-disable no-await-in-loop -- the first name that fits
  for (const [parameter, ours] of Object.entries(found)) {
    const value = extremeOf(operation, parameter);
    const unknown = await probe(UNKNOWN_NAME, value);
    if (unknown.status === 200 && rows.length === 0) continue;
    delete found[parameter];
    for (const name of spellingsOf(ours, ...(candidates[parameter] ?? []))) {
      const { status, count } = await probe(name, value);
      if (status !== 200 || (unknown.status === 200 && count >= rows.length)) continue;
      found[parameter] = name;
      break;
    }
  }
  // oxlint-enable no-await-in-loop
  return found;
}

/** Names in camel case, snake case and kebab case. */
function spellingsOf(...names: readonly string[]): Set<string> {
  return new Set(
    names.flatMap((name) => [
      name,
      ...['_', '-'].map((joint) => name.replaceAll(/[A-Z]/g, (letter) => joint + letter.toLowerCase())),
    ]),
  );
}

/** Names that `createHrClient` needs, because they differ from ours. */
export function differingNames(names: Readonly<Record<string, FoundNames>>): WireNames {
  const differing = Object.entries(names).map(([operation, found]) => {
    const others = Object.entries(found).filter(([name, wireName]) => wireName !== ownNames[operation]?.[name]);
    return [operation, Object.fromEntries(others)] as const;
  });
  return Object.fromEntries(differing.filter(([, others]) => Object.keys(others).length > 0));
}
