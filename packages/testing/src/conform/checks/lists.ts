import { z } from 'zod';
import { inner } from '../../model/leaf.ts';
import { listIds, lists, table } from '../../model/lists.ts';
import { sectionOf } from '../census.ts';
import { must, ofList, should, type Check } from '../check.ts';

/** The sections of a model and of the models in it. */
function sectionsIn(field: z.core.$ZodType): string[] {
  const model = inner(field);
  const parts =
    model instanceof z.ZodArray ? [model.element] : model instanceof z.ZodObject ? Object.values(model.shape) : [];
  return [sectionOf(model) ?? [], ...parts.map((part) => sectionsIn(part))].flat();
}

const models = listIds.flatMap((id) => table[id]?.response ?? []);
// A post-office box is an address with a rule of its own.
const sections = [...new Set([...models.flatMap((model) => sectionsIn(model)), '2.3'])].toSorted();

const ofModels = sections.flatMap((section) => [
  must(section, `values-${section}`, 'Fields of elements have the documented types, formats and bounds.', (run) =>
    run.census.deviations(section, 'fault'),
  ),
  should(
    section,
    `names-${section}`,
    'Elements have only documented fields, those that readers need, and values that the specification shows.',
    (run) => run.census.deviations(section, 'undocumented field', 'missing field', 'other value'),
  ),
]);

const kinds = {
  list: 'The response is a complete JSON array with status 200.',
  owner: 'Each element belongs to the person or contract of the path.',
  order: 'Elements are in ascending order of their ids and dates.',
  unique: 'Each element occurs once.',
} as const;

const ofLists = listIds.flatMap((operation) =>
  Object.entries(kinds).flatMap(([kind, rule]): Check[] => {
    const { owner, isRepeatable } = lists[operation];
    if ((kind === 'owner' && !owner) || (kind === 'unique' && isRepeatable)) return [];
    const check: Check['run'] = (run) => {
      const deviations = run.found.get(`${kind}-${operation}`);
      if (!deviations) run.listsOf(operation);
      return deviations ?? [];
    };
    return [
      ofList(operation, kind, rule, check, kind === 'order' || (kind === 'unique' && operation !== 'listPersons')),
    ];
  }),
);

const CONTRACT_ID = '[*].employments[*].payrollContractId';

/** Every element of every list against its model (sections 2, 4 and 9). */
export const listChecks: readonly Check[] = [
  ...ofLists,
  should('2.5', 'employments', 'Some person has a payroll contract.', (run) => {
    const [{ request }] = run.listsOf('listPersons');
    const isFound = run.persons.size === 0 || run.census.fields('listPersons').some(([path]) => path === CONTRACT_ID);
    const got = `none in all ${run.persons.size} elements`;
    return isFound ? [] : [{ place: CONTRACT_ID, expected: 'a value', got, request: run.cloud.curl(request) }];
  }),
  ...ofModels,
  must('9', 'former-names', 'Fields have their current names.', (run) => run.census.deviations('9', 'former name')),
];
