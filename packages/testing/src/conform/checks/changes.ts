import type { ListOperationId } from '@hr/schemas';
import { fieldsOf, systems, type System } from '@hr/schemas/rules';
import { extremeOf, listIds, lists, rowOf, table, type Row } from '../../model/lists.ts';
import { must, ofList, should, type Check, type Deviation } from '../check.ts';
import { bitsOf, idOf, type ConformRun } from '../conform-run.ts';
import { today } from '../query-names.ts';

const DAYS = [0, -1, -30];
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

const rules = {
  known: {
    rule: 'The list of changes has only persons of the full list, and deleted ones.',
    expected: 'persons of the full list',
  },
  systems: {
    rule: 'An element has the fields of the systems that changed, and only those.',
    expected: 'all fields of a changed system that the full list has, and none of another system',
  },
  later: {
    rule: 'What changed since a date also changed since each earlier date.',
    expected: 'all systems that changed since a later date',
  },
};
type Rule = keyof typeof rules;

/** Reads the changes since a few days, the latest first, and compares each element with the full list. */
async function deviationsOfChanges(run: ConformRun): Promise<Partial<Record<Rule, Deviation>>> {
  const found: Partial<Record<Rule, Deviation>> = {};
  const later = new Map<string, number>();
  run.listsOf('listPersons');
  for (const days of DAYS) {
    const request = run.request('listPersons', { query: { changedSince: today(days) } });
    const counts: Record<Rule, number> = { known: 0, systems: 0, later: 0 };
    const census = run.census.of('listPersons', run.cloud.curl(request), true);
    const seen = new Set<string>();
    let total = 0;
    // oxlint-disable-next-line no-await-in-loop -- the latest first, so that the others contain it
    const exchange = await run.list(request, (element) => {
      census(element);
      total++;
      const row = rowOf(element);
      if (!row || row['deleted'] === true || row['erased'] === true) return;
      const id = idOf(row);
      const valued = run.persons.get(id);
      const [own, whole] = [bitsOf((field) => Object.hasOwn(row, field)), systemsIn(row)];
      if (valued === undefined) counts.known++;
      else if ((whole & valued & ~own) !== 0) counts.systems++;
      if (((later.get(id) ?? 0) & ~whole) !== 0) counts.later++;
      seen.add(id);
      later.set(id, (later.get(id) ?? 0) | whole);
    });
    counts.later += [...later.keys()].filter((id) => !seen.has(id)).length;
    const [wrong] = run.statusFault(exchange, 200);
    if (wrong) return { known: wrong };
    for (const [rule, { expected }] of Object.entries(rules) as [Rule, (typeof rules)[Rule]][]) {
      const got = `others in ${counts[rule]} of ${total} elements`;
      if (counts[rule] > 0) found[rule] ??= run.deviation(exchange, '[*]', expected, got);
    }
  }
  return found;
}

const ofChanges = Object.entries(rules).map(([id, { rule }]) =>
  // Which system has a field is a decision.
  (id === 'systems' ? should : must)('4.2', `changes-${id}`, rule, async (run) => {
    const first = await run.once('changes', () => deviationsOfChanges(run));
    if (!first[id as Rule]) return [];
    // The data may have changed since the full list was read.
    await run.readPersons();
    return [(await deviationsOfChanges(run))[id as Rule] ?? []].flat();
  }),
);

/** A date in the future has no changes (sections 4.2, 4.4, 4.6). */
function futureCheck(operation: ListOperationId): Check {
  const rule = 'The list of changes since a date in the future is empty.';
  return ofList(operation, 'future', rule, async (run) => {
    const [{ request }] = run.listsOf(operation);
    const { query = {} } = run.request(operation, {
      query: { changedSince: extremeOf(operation, 'changedSince') },
    });
    let isEmpty = true;
    const exchange = await run.list({ ...request, query }, (element) => {
      if (lists[operation].rows(rowOf(element) ?? {}).length > 0) isEmpty = false;
    });
    const wrong = run.statusFault(exchange, 200);
    return wrong.length > 0 || isEmpty ? wrong : [run.deviation(exchange, '[*]', 'no elements', 'some')];
  });
}

/** Lists of changes (sections 4.2, 4.4 and 4.6). */
export const changeChecks: readonly Check[] = [
  ...listIds.filter((operation) => table[operation]?.delta).map((operation) => futureCheck(operation)),
  ...ofChanges,
];
