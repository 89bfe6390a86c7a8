import type { ListOperationId } from '@hr/schemas';
import { fieldsOf, systems, type System } from '@hr/schemas/rules';
import type { Check } from '../check.ts';
import { bitsOf, idOf, type ConformRun } from '../conform-run.ts';
import { NotTried, type Deviation } from '../deviation.ts';
import { extremeOf, listIds, table, type Row } from '../../model/lists.ts';

const DAYS_AGO = [0, 1, 30];
const DAY_MS = 86_400_000;
const bitsOfSystems = systems.map((system) => bitsOf((field) => fieldsOf(system).some((each) => each === field)));

/** The systems of an element of a list of changes, as bits of its fields. */
export function systemsIn(element: Row): number {
  const sent = bitsOf((field) => Object.hasOwn(element, field));
  return bitsOfSystems.reduce((all, bits) => ((sent & bits) === 0 ? all : all | bits), 0);
}

/** The fields of a system as bits. */
export function systemsOf(system: System): number {
  return bitsOfSystems[systems.indexOf(system)] ?? 0;
}

type Rule = 'known' | 'systems' | 'later';

/** Reads the changes since a few days, the latest first, and compares each element with the full list. */
async function deviationsOfChanges(run: ConformRun): Promise<Record<Rule, Deviation[]>> {
  const found: Record<Rule, Deviation[]> = { known: [], systems: [], later: [] };
  const later = new Map<string, number>();
  for (const days of DAYS_AGO) {
    const date = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
    const request = run.request('listPersons', { query: { changedSince: date } });
    const counts: Record<Rule, number> = { known: 0, systems: 0, later: 0 };
    const census = run.census.of('listPersons', run.cloud.curl(request), true);
    const seen = new Set<string>();
    let total = 0;
    // oxlint-disable-next-line no-await-in-loop -- the latest first, so that the others contain it
    const exchange = await run.list(request, (element) => {
      census(element);
      total++;
      const [id, row] = [idOf(element), element as Row];
      if (row['deleted'] === true || row['erased'] === true) return;
      const valued = run.persons.get(id);
      const [own, whole] = [bitsOf((field) => Object.hasOwn(row, field)), systemsIn(row)];
      if (valued === undefined) counts.known++;
      else if ((whole & valued & ~own) !== 0) counts.systems++;
      if (((later.get(id) ?? 0) & ~whole) !== 0) counts.later++;
      seen.add(id);
      later.set(id, (later.get(id) ?? 0) | whole);
    });
    const lost = [...later.keys()].filter((id) => !seen.has(id)).length;
    const wrong = run.statusFault(exchange, 200);
    if (wrong.length > 0) return { known: wrong, systems: [], later: [] };
    const note = (rule: Rule, expected: string, count: number): void => {
      if (count > 0)
        found[rule].push(run.deviation(exchange, '[*]', expected, `others in ${count} of ${total} elements`));
    };
    note('known', 'persons of the full list', counts.known);
    note(
      'systems',
      'all fields of a changed system that the full list has, and none of another system',
      counts.systems,
    );
    note('later', 'all systems that changed since a later date', counts.later + lost);
  }
  return found;
}

function changesCheck(rule: Rule, sentence: string): Check {
  const run: Check['run'] = async (context) => {
    const first = await context.once('changes', () => deviationsOfChanges(context));
    if (first[rule].length === 0) return [];
    // The data may have changed since the full list was read.
    await context.readPersons();
    return (await deviationsOfChanges(context))[rule];
  };
  return { id: `changes-${rule}`, section: '4.2', level: 1, severity: 'must', rule: sentence, run };
}

/** A date in the future has no changes (sections 4.2, 4.4, 4.6). */
function futureCheck(operation: ListOperationId): Check {
  const run: Check['run'] = async (context) => {
    const list = context.read.get(operation)?.[0];
    if (!list || context.reasons.has(operation))
      throw new NotTried(context.reasons.get(operation) ?? 'there is no list');
    const { query = {} } = context.request(operation, {
      query: { changedSince: extremeOf(operation, 'changedSince') },
    });
    let isEmpty = true;
    const exchange = await context.list({ ...list.request, query }, () => (isEmpty = false));
    const wrong = context.statusFault(exchange, 200);
    return wrong.length > 0 || isEmpty ? wrong : [context.deviation(exchange, '[*]', 'no elements', 'some')];
  };
  const rule = 'The list of changes since a date in the future is empty.';
  return { id: `future-${operation}`, section: table[operation]?.section ?? '', level: 1, severity: 'must', rule, run };
}

/** Lists of changes (sections 4.2, 4.4 and 4.6). */
export const changeChecks: readonly Check[] = [
  ...listIds.filter((operation) => table[operation]?.delta).map((operation) => futureCheck(operation)),
  changesCheck('known', 'The list of changes has only persons of the full list, and deleted ones.'),
  changesCheck('systems', 'An element has the fields of the systems that changed, and only those.'),
  changesCheck('later', 'What changed since a date also changed since each earlier date.'),
];
