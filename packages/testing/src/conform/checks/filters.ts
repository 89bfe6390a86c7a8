import { isLocalDate, type ListOperationId } from '@hr/schemas';
import type { Check } from '../check.ts';
import type { Hidden } from '../cloud.ts';
import type { ConformRun, Query } from '../conform-run.ts';
import { NotTried, type Deviation } from '../deviation.ts';
import { listIds, lists, ownNames, table, type Row } from '../../model/lists.ts';

const MAX_READS = 3;

/** A date or month of the data, the one before or the one after it. */
function neighbours(found: unknown, place: string): Hidden[] {
  if (typeof found !== 'string' || found < '0002' || !isLocalDate(found.length === 7 ? `${found}-01` : found))
    return [];
  return [0, -1, 1].map((distance) => {
    const day = new Date(`${found.padEnd(8, '-').padEnd(10, '01')}T00:00:00Z`);
    if (found.length === 7) day.setUTCMonth(day.getUTCMonth() + distance);
    else day.setUTCDate(day.getUTCDate() + distance);
    const from = `${place}${distance === 0 ? '' : distance < 0 ? ' minus 1' : ' plus 1'}`;
    return { value: day.toISOString().slice(0, found.length), from };
  });
}

function jsonOf(row: Row): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.keys(row)
        .toSorted()
        .map((name) => [name, row[name]]),
    ),
  );
}

interface Read {
  readonly target: number;
  readonly query: Query;
}

/** Reads a list with a filter, and compares it with the full list that the filter is applied to. */
async function compareFilter(
  run: ConformRun,
  operation: ListOperationId,
  { target, query }: Read,
): Promise<Deviation[]> {
  const list = run.read.get(operation)?.[target];
  if (!list) return [];
  const { rows, keeps, owner, key } = lists[operation];
  const window = Object.fromEntries(Object.entries(query).map(([name, given]) => [name, (given as Hidden).value]));
  const sampled = new Set(list.rows.map(({ personId }) => personId));
  const read = async (request: typeof list.request) => {
    const got: Row[] = [];
    const exchange = await run.list(request, (element) => {
      for (const row of rows(element as Row)) if (owner || sampled.has(row['personId'])) got.push(row);
    });
    return { got, exchange };
  };
  for (let attempt = 0; ; attempt++) {
    // oxlint-disable no-await-in-loop -- the data may have changed since it was read, so both are read again
    if (attempt > 0) list.rows = (await read(list.request)).got;
    const { got, exchange } = await read({ ...list.request, query: run.request(operation, { query }).query ?? {} });
    // oxlint-enable no-await-in-loop
    const expected = list.rows.filter((row) => keeps(row, window));
    const [received, wanted] = [new Set(got.map(jsonOf)), new Set(expected.map((row) => key(row).join('\0')))];
    const missing = expected.filter((row) => !received.has(jsonOf(row))).length;
    const extra = got.filter((row) => !wanted.has(key(row).join('\0'))).length;
    const wrong = run.statusFault(exchange, 200);
    if (wrong.length === 0 && missing === 0 && extra === 0) return [];
    if (attempt === 0) continue;
    if (wrong.length > 0) return wrong;
    const found = `${got.length}: ${missing} missing, ${extra} that the filter excludes`;
    return [run.deviation(exchange, '[*]', `${expected.length} elements of the full list`, found)];
  }
}

function filterCheck(operation: ListOperationId, form: 'each' | 'both'): Check {
  const parameters = Object.keys(ownNames[operation] ?? {}).filter((name) => name !== 'changedSince');
  const isDecided = operation === 'listAbsences' && form === 'both';
  return {
    id: `${form === 'each' ? 'filter' : 'window'}-${operation}`,
    section: table[operation]?.section ?? '',
    level: 1,
    severity: isDecided || table[operation]?.extension ? 'should' : 'must',
    rule:
      form === 'each'
        ? 'A filter returns exactly the elements of the full list that match, whatever was read before.'
        : 'Two filters together return exactly the elements that match both.',
    run: (run) => {
      const { fc, read, reasons, names } = run;
      if (reasons.has(operation)) throw new NotTried(reasons.get(operation));
      const targets = (read.get(operation) ?? []).flatMap(({ rows }, target) => {
        const dates = rows
          .slice(0, 200)
          .flatMap((row, at) =>
            lists[operation].dates(row).flatMap((date) => neighbours(date, `a date of row ${at + 1} of the list`)),
          );
        return dates.length > 0 ? [{ target, dates }] : [];
      });
      if (targets.length === 0) throw new NotTried('the lists have no dates');
      const known = parameters.filter((name) => names[operation]?.[name] !== undefined);
      if (known.length === 0 || (form === 'both' && known.length < 2))
        throw new NotTried(`no name of a query parameter was found for ${parameters.join(', ')}`);
      const reads = fc.constantFrom(...targets).chain(({ target, dates }) => {
        const date = fc.constantFrom(...dates);
        const query =
          form === 'both'
            ? fc.tuple(date, date).map((pair) => {
                const [from, to] = pair.toSorted((one, other) => (one.value < other.value ? -1 : 1));
                return { from, to };
              })
            : fc.tuple(fc.constantFrom(...known), date).map(([name, value]) => ({ [name]: value }));
        return fc.record({ target: fc.constant(target), query });
      });
      return run.search(fc.array(reads, { minLength: 1, maxLength: MAX_READS }), async (several) => {
        const deviations: Deviation[] = [];
        // oxlint-disable-next-line no-await-in-loop -- a sequence of reads
        for (const each of several) deviations.push(...(await compareFilter(run, operation, each as Read)));
        return deviations;
      });
    },
  };
}

/** Filters by dates and months, compared with the full list (sections 4.3 to 4.6). */
export const filterChecks: readonly Check[] = listIds.flatMap((operation) => {
  if (operation === 'listPersons') return [];
  const hasTwo = 'from' in (ownNames[operation] ?? {});
  return [filterCheck(operation, 'each'), ...(hasTwo ? [filterCheck(operation, 'both')] : [])];
});
