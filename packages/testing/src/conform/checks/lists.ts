import { z } from 'zod';
import { inner } from '../../model/leaf.ts';
import { sectionOf } from '../census.ts';
import type { Check } from '../check.ts';
import type { ConformRun } from '../conform-run.ts';
import { NotTried } from '../deviation.ts';
import { listIds, lists, table } from '../../model/lists.ts';

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

function occurring({ census }: ConformRun, section: string): void {
  if (!census.sections.has(section === '2.3' ? '2.2' : section)) throw new NotTried('the lists have no such element');
}

const ofModels = sections.flatMap((section): Check[] => [
  {
    id: `values-${section}`,
    section,
    level: 1,
    severity: 'must',
    rule: 'Fields of elements have the documented types, formats and bounds.',
    run: (run) => {
      occurring(run, section);
      return run.census.deviations(['fault'], section);
    },
  },
  {
    id: `names-${section}`,
    section,
    level: 1,
    severity: 'should',
    rule: 'Elements have only documented fields, and values of open lists are those that are shown.',
    run: (run) => {
      occurring(run, section);
      return run.census.deviations(['undocumented field', 'other value'], section);
    },
  },
]);

const kinds = {
  list: ['must', 'The response is a complete JSON array with status 200.'],
  owner: ['must', 'Each element belongs to the person or contract of the path.'],
  order: ['should', 'Elements are in ascending order of their ids and dates.'],
  unique: ['should', 'Each element occurs once.'],
} as const;

const ofLists = listIds.flatMap((operation) =>
  Object.entries(kinds).flatMap(([kind, [severity, rule]]): Check[] => {
    const { section = '', extension } = table[operation] ?? {};
    if ((kind === 'owner' && !lists[operation].owner) || (kind === 'unique' && lists[operation].isRepeatable))
      return [];
    const run: Check['run'] = ({ found, reasons }) => {
      if (reasons.has(operation)) throw new NotTried(reasons.get(operation));
      return found.get(`${kind}-${operation}`) ?? [];
    };
    return [{ id: `${kind}-${operation}`, section, level: 1, severity: extension ? 'should' : severity, rule, run }];
  }),
);

/** Every element of every list against its model (sections 2, 4 and 9). */
export const listChecks: readonly Check[] = [
  ...ofLists,
  ...ofModels,
  {
    id: 'former-names',
    section: '9',
    level: 1,
    severity: 'must',
    rule: 'Fields have their current names.',
    run: ({ census }) => census.deviations(['former name'], '9'),
  },
];
