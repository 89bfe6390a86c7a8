import { z } from 'zod';
import { freshnessFields } from './local-copy.ts';
import { pageFields, pageOf, pageParameters } from './pages.ts';
import { selectedPersons } from './person-filter.ts';
import { readingTool } from './tool.ts';

export const listGroups = readingTool('List groups and the number of their members', ['listPersons'], {
  about:
    'Reads the local copy. The HR Cloud has no names of groups, only ids. A person can be a member of several groups.',
  parameters: pageParameters,
  output: z.object({
    ...freshnessFields,
    ...pageFields,
    groups: z.array(
      z.object({
        id: z.string(),
        type: z.string().optional(),
        persons: z.int(),
        active: z.int().describe('Members with the status ACTIVE.'),
      }),
    ),
  }),
  async run(call, query) {
    const freshness = await call.copy.upToDate(call, ['persons']);
    const groups = new Map<string, { id: string; type?: string; persons: number; active: number }>();
    for await (const person of selectedPersons(call, {})) {
      for (const { id, type } of person.groups ?? []) {
        const group = groups.get(id) ?? { id, ...(type && { type }), persons: 0, active: 0 };
        group.persons++;
        if (person.status === 'ACTIVE') group.active++;
        groups.set(id, group);
      }
    }
    const { rows, ...page } = pageOf([...groups.values()], query, ({ id }) => id);
    call.note({ counts: { groups: page.total } });
    return { ...freshness, ...page, groups: rows };
  },
});
