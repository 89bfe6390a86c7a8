import type { PersonChange } from '@hr/client';
import { operations, Person } from '@hr/schemas';
import { fieldsOf, systems } from '@hr/schemas/rules';
import { z } from 'zod';
import { freshnessFields } from './local-copy.ts';
import { pageFields, pageOf, pageParameters, type PageQuery } from './pages.ts';
import { existingPerson, filterParameters, selectedPersons, type PersonFilter } from './person-filter.ts';
import { PersonDetails, personDetails, PersonInList, personInList } from './person-view.ts';
import { operationTool, readingTool, ToolError, type ToolCall } from './tool.ts';

const Row = PersonInList.extend({
  changed: z.array(z.string()).describe('With `changedSince`: the systems whose data changed.').optional(),
  deleted: z.boolean().describe('With `changedSince`: the person is gone.').optional(),
});

export const listPersons = operationTool('listPersons', {
  about:
    'Reads the local copy, in pages, and counts. Bank details, addresses and other private fields are not shown. getPerson shows the employments and custom fields of one person. With `changedSince` it asks the HR Cloud itself, and only says in which systems (master data, payroll, time) data changed, not which fields.',
  parameters: {
    changedSince: operations.listPersons.query.shape.changedSince,
    ...filterParameters,
    contract: z.string().describe('Payroll contract id of the person.').optional(),
    ...pageParameters,
  },
  output: z.object({ ...freshnessFields, ...pageFields, persons: z.array(Row) }),
  async run(call, { changedSince, cursor, limit, ...filter }) {
    const freshness = await call.copy.upToDate(call, ['persons']);
    if (changedSince !== undefined && Object.values(filter).some((value) => value !== undefined)) {
      throw new ToolError(
        'invalid-arguments',
        '/changedSince lists everyone who changed. Leave out the other filters.',
      );
    }
    const page =
      changedSince === undefined
        ? await selected(call, filter, { cursor, limit })
        : await changed(call, changedSince, { cursor, limit });
    const personIds = page.persons.map(({ id }) => id as string);
    call.note({ personIds, counts: { persons: personIds.length, total: page.total } });
    return { ...freshness, ...page };
  },
});

export const getPerson = readingTool('Show a person', ['listPersons'], {
  about: 'Reads the local copy. `masked` names the fields that have a value but are not shown.',
  parameters: { id: Person.shape.id },
  output: z.object({ ...freshnessFields, person: PersonDetails.partial(), masked: z.array(z.string()) }),
  async run(call, { id }) {
    const freshness = await call.copy.upToDate(call, ['persons']);
    const details = personDetails(await existingPerson(call, id, '/id'), call.reveal);
    call.note({ personIds: [id], counts: { masked: details.masked.length } });
    return { ...freshness, ...details };
  },
});

type Rows = z.input<typeof Row>[];

async function selected(
  call: ToolCall,
  { managerId, ...query }: PersonFilter & { readonly contract?: string | undefined },
  { cursor, limit }: PageQuery,
) {
  const persons: Rows = [];
  let nextCursor: string | undefined;
  for await (const person of selectedPersons(call, { ...query, managerId }, cursor)) {
    if (persons.length === limit) {
      nextCursor = persons.at(-1)?.['id'] as string;
      break;
    }
    persons.push(personInList(person));
  }
  let total = 0;
  if (managerId === undefined) total = call.mirror.countPersons(query);
  else for await (const _ of selectedPersons(call, { ...query, managerId })) total++;
  return { total, ...(nextCursor !== undefined && { nextCursor }), persons };
}

async function changed({ hr, mirror, signal }: ToolCall, changedSince: string, query: PageQuery) {
  const changes: { id: string; changed: string[]; deleted: boolean }[] = [];
  for await (const change of hr.persons.list({ changedSince }, { signal })) {
    changes.push({ id: change.id, changed: changedSystems(change), deleted: Boolean(change.deleted ?? change.erased) });
  }
  const { rows, ...page } = pageOf(changes, query, ({ id }) => id);
  const persons: Rows = rows.map(({ id, deleted, ...systemsOf }) => {
    const { person } = (deleted ? undefined : mirror.person(id)) ?? {};
    return deleted ? { id, contractIds: [], deleted } : { ...personInList(person ?? { id }), ...systemsOf };
  });
  return { ...page, persons };
}

/** A list of changes has all fields of a system, or none. */
function changedSystems(change: PersonChange): string[] {
  return systems.filter((system) => fieldsOf(system).some((field) => field in change));
}
