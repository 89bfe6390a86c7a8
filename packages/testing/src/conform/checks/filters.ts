import { isLocalDate, type ListOperationId } from '@hr/schemas';
import { documented } from '../../behaviour/behaviour-case.ts';
import { addDays, addMonths } from '../../fixtures/calendar.ts';
import { listIds, lists, ownNames, rowOf, type Row } from '../../model/lists.ts';
import { NotTried, ofList, type Check, type Deviation } from '../check.ts';
import { valueOf, type CloudRequest, type Hidden } from '../cloud-request.ts';
import { hasWindow } from '../query-names.ts';
import { unknownName, type ConformRun, type Query, type ReadList } from '../conform-run.ts';

const MAX_READS = 3;
const MAX_DATED_ROWS = 200;

/** A date or month of the data, the one before and the one after it. */
function neighbours(found: unknown, place: string): Hidden[] {
  if (typeof found !== 'string' || found < '0002' || !isLocalDate(found.length === 7 ? `${found}-01` : found))
    return [];
  return Object.entries({ '': 0, ' minus 1': -1, ' plus 1': 1 }).map(([change, distance]) => {
    const date = found.length === 7 ? addMonths(found, distance) : addDays(found, distance);
    return { value: date.slice(0, found.length), from: place + change };
  });
}

function jsonOf(row: Row): string {
  const own = Object.entries(row).filter(([name]) => documented.has(name));
  return JSON.stringify(own.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Reads a list with a filter, and compares it with the full list that the filter is applied to. */
async function compareFilter(
  run: ConformRun,
  operation: ListOperationId,
  list: ReadList,
  query: Query,
): Promise<Deviation[]> {
  const { rows, keeps, owner, key } = lists[operation];
  const keyOf = (row: Row): string => key(row).join('\0');
  const given = Object.entries({ ...run.windows[operation], ...query });
  const window = Object.fromEntries(given.map(([name, each]) => [name, valueOf(each)]));
  const sampled = new Set(list.rows.map((row) => key(row)[0]));
  const read = async (request: CloudRequest) => {
    const got: Row[] = [];
    const exchange = await run.list(request, (element) => {
      for (const row of rows(rowOf(element) ?? {})) if (owner || sampled.has(key(row)[0])) got.push(row);
    });
    return { got, exchange };
  };
  for (let attempt = 0; ; attempt++) {
    // oxlint-disable no-await-in-loop -- the data may have changed since it was read, so both are read again
    if (attempt > 0) list.rows = (await read(list.request)).got;
    const { got, exchange } = await read({ ...list.request, query: run.request(operation, { query }).query ?? {} });
    // oxlint-enable no-await-in-loop
    const expected = list.rows.filter((row) => keeps(row, window));
    const [received, wanted] = [new Set(got.map(jsonOf)), new Set(expected.map(keyOf))];
    const missing = expected.filter((row) => !received.has(jsonOf(row))).length;
    const extra = got.filter((row) => !wanted.has(keyOf(row))).length;
    const wrong = run.statusFault(exchange, 200);
    if (wrong.length === 0 && missing === 0 && extra === 0) return [];
    if (attempt === 0) continue;
    const found = `${got.length}: ${missing} missing, ${extra} that the filter excludes`;
    const whole = `${expected.length} elements of the full list`;
    return wrong.length > 0 ? wrong : [run.deviation(exchange, '[*]', whole, found)];
  }
}

/** The lists with dates, and these dates with those around them, within the window that the list requires. @throws {NotTried} */
function datedLists(run: ConformRun, operation: ListOperationId) {
  const { from = '', to = '9999' } = run.windows[operation] ?? {};
  const dated = run.listsOf(operation).flatMap((list) => {
    const dates = list.rows
      .slice(0, MAX_DATED_ROWS)
      .flatMap((row, at) =>
        lists[operation].dates(row).flatMap((date) => neighbours(date, `a date of row ${at + 1} of the list`)),
      )
      .filter(({ value }) => from <= value && value <= to);
    return dates.length > 0 ? [{ list, dates }] : [];
  });
  if (dated.length === 0) throw new NotTried('the lists have no dates');
  return dated;
}

/** The parameters that select elements, whatever changed. */
function filtersOf(operation: ListOperationId): string[] {
  return Object.keys(ownNames[operation] ?? {}).filter((name) => !['changedSince', 'after'].includes(name));
}

function filterCheck(operation: ListOperationId, kind: 'filter' | 'window'): Check {
  const rule =
    kind === 'filter'
      ? 'A filter returns exactly the elements of the full list that match, whatever was read before.'
      : 'Two filters together return exactly the elements in the window between them.';
  const check: Check['run'] = (run) => {
    const { fc } = run;
    if (kind === 'filter' && run.windows[operation]) throw new NotTried('the HR cloud requires both dates');
    const dated = datedLists(run, operation);
    const parameters = filtersOf(operation);
    const known = parameters.filter((name) => run.names[operation]?.[name] !== undefined);
    if (known.length < (kind === 'window' ? 2 : 1))
      throw new NotTried(unknownName(parameters.find((name) => !known.includes(name)) ?? ''));
    const reads = fc.constantFrom(...dated).chain(({ list, dates }) => {
      const date = fc.constantFrom(...dates);
      const one = fc.tuple(fc.constantFrom(...known), date).map(([name, value]): Query => ({ [name]: value }));
      const two = fc.tuple(date, date).map((both): Query => {
        const [from, to] = both.toSorted((a, b) => (a.value < b.value ? -1 : 1)) as [Hidden, Hidden];
        return { from, to };
      });
      return fc.record({ list: fc.constant(list), query: kind === 'window' ? two : one });
    });
    return run.search(fc.array(reads, { minLength: 1, maxLength: MAX_READS }), async (several) => {
      const deviations: Deviation[] = [];
      for (const { list, query } of several)
        // oxlint-disable-next-line no-await-in-loop -- a sequence of reads
        deviations.push(...(await compareFilter(run, operation, list, query)));
      return deviations;
    });
  };
  return ofList(operation, kind, rule, check, operation === 'listAbsences' && kind === 'window');
}

/** Filters by dates and months, compared with the full list (sections 4.3 to 4.6). */
export const filterChecks: readonly Check[] = listIds.flatMap((operation) => {
  if (filtersOf(operation).length === 0) return [];
  return [filterCheck(operation, 'filter'), ...(hasWindow(operation) ? [filterCheck(operation, 'window')] : [])];
});
