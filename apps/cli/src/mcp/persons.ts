import type { PersonChange } from '@hr/client';
import { operations, Person as PersonModel } from '@hr/schemas';
import { fieldsOf, systems } from '@hr/schemas/rules';
import { Counts, groupPersonsBy, valuesOf, type GroupBy } from './counts.ts';
import { pageOf, pageParameters, type PageQuery } from './pages.ts';
import { existingPerson, personParameters, selectedPersons } from './person-filter.ts';
import { personDetails, personInList } from './person-view.ts';
import { operationTool, readingTool, ToolError, type ToolCall } from './tool.ts';

const personOf = ({ id }: { readonly id: string }) => id;

export const listPersons = operationTool('listPersons', {
  about:
    'Reads the local copy, in pages, and counts. With `groupBy`, one call answers "how many joined in 2025, by group"; a member of two groups counts in both. Bank details, addresses and other private fields are not shown. getPerson shows the employments and custom fields of one person. With `changedSince` it asks the HR Cloud itself, and only says in which systems (master data, payroll, time) data changed, not which fields.',
  parameters: {
    changedSince: operations.listPersons.query.shape.changedSince,
    ...personParameters,
    groupBy: groupPersonsBy,
    ...pageParameters,
  },
  async run(call, query) {
    const { changedSince, cursor: _cursor, limit: _limit, ...filter } = query;
    const { groupBy } = filter;
    const head = await call.copy.upToDate(call, ['persons']);
    if (changedSince !== undefined) {
      if (Object.values(filter).some((value) => value !== undefined)) {
        const reason = '/changedSince lists everyone who changed. Leave out the other filters and groupBy.';
        throw new ToolError('invalid-arguments', reason);
      }
      const rows = call.hr.persons.list({ changedSince }, { signal: call.signal });
      return await pageOf(call, query, { head, name: 'persons', rows, view: (row) => changeView(call, row), personOf });
    }
    if (groupBy !== undefined) return await countPersons(call, query, head);
    const rows = selectedPersons(call, query);
    return await pageOf(call, query, { head, name: 'persons', rows, view: personInList, keyOf: personOf, personOf });
  },
});

export const listGroups = readingTool('List groups and the number of their members', ['listPersons'], {
  about:
    'Reads the local copy; the largest group comes first. The HR Cloud has no names of groups, only ids. A person can be a member of several groups.',
  parameters: pageParameters,
  async run(call, query) {
    const head = await call.copy.upToDate(call, ['persons']);
    return await countPersons(call, { ...query, groupBy: 'group' }, head);
  },
});

type CountQuery = Parameters<typeof selectedPersons>[1] & PageQuery & { readonly groupBy?: GroupBy };

async function countPersons(call: ToolCall, query: CountQuery, freshness: object): Promise<object> {
  const counts = new Counts();
  let persons = 0;
  for await (const person of selectedPersons(call, query)) {
    persons++;
    counts.add(valuesOf(person, query.groupBy), person, { active: Number(person.status === 'ACTIVE') });
  }
  return await counts.page(call, query, { head: { ...freshness, persons } });
}

export const getPerson = readingTool('Show a person', ['listPersons'], {
  about:
    'Reads the local copy. `masked` names the fields that have a value but are not shown. The custom fields come in pages.',
  parameters: { id: PersonModel.shape.id, ...pageParameters },
  async run(call, { id, ...page }) {
    const freshness = await call.copy.upToDate(call, ['persons']);
    const { customFields, ...details } = personDetails(await existingPerson(call, id, '/id'), call.reveal);
    call.note({ personIds: [id] });
    const head = { ...freshness, ...details };
    return await pageOf(call, page, { head, name: 'customFields', rows: customFields });
  },
});

function changeView({ mirror }: ToolCall, change: PersonChange): object {
  const { id } = change;
  if (change.deleted ?? change.erased) return { id, deleted: true };
  // A list of changes has all fields of a system, or none.
  const changed = systems.filter((system) => fieldsOf(system).some((field) => field in change));
  return { ...personInList(mirror.person(id)?.person ?? { id }), changed };
}
