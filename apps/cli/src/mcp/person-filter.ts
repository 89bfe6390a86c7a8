import type { Person } from '@hr/client';
import { Person as PersonModel } from '@hr/schemas';
import { z } from 'zod';
import { interruptible } from './pages.ts';
import { ToolError, type ToolCall } from './tool.ts';

/** The parameters that select persons. */
export const filterParameters = {
  name: z
    .string()
    .describe('Words, each the beginning of a word of the name, the employee number or the id. Accents do not matter.')
    .optional(),
  group: z.string().describe('Id of a group, from listGroups.').optional(),
  status: PersonModel.shape.status,
  managerId: z.string().describe('Person id of the disciplinary manager: the direct reports.').optional(),
};

/** Which persons to select: those to whom all given conditions apply. */
export interface PersonFilter {
  readonly personId?: string | undefined;
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly status?: string | undefined;
  readonly managerId?: string | undefined;
}

/**
 * Yields the persons of the local copy that a filter selects, in the order of their ids.
 *
 * @throws {ToolError} if there is no person with the id, or no group.
 */
export async function* selectedPersons(
  call: ToolCall,
  { personId, managerId, ...query }: PersonFilter,
  after?: string,
): AsyncGenerator<Person, void, undefined> {
  const { mirror, signal } = call;
  if (personId !== undefined) {
    if (Object.values({ managerId, ...query }).some((value) => value !== undefined)) {
      throw new ToolError('invalid-arguments', '/personId selects one person. Leave out the other filters.');
    }
    yield await existingPerson(call, personId, '/personId');
    return;
  }
  if (managerId !== undefined) await existingPerson(call, managerId, '/managerId');
  if (query.group !== undefined && mirror.countPersons({ group: query.group }) === 0) {
    throw new ToolError('not-found', '/group: there is no group with this id. Take an id from listGroups.');
  }
  for await (const person of interruptible(mirror.persons({ ...query, after }), signal)) {
    if (managerId === undefined || person.managerId === managerId) yield person;
  }
}

/** @throws {ToolError} if the local copy has no such person. */
export async function existingPerson(call: ToolCall, id: string, place: string): Promise<Person> {
  const person = await newest(call, () => call.mirror.person(id)?.person);
  if (person) return person;
  throw new ToolError('not-found', `${place}: there is no person with this id. Find persons with listPersons.`);
}

/** @throws {ToolError} if no person of the local copy has this payroll contract. */
export async function personOfContract(call: ToolCall, contract: string): Promise<Person> {
  const person = await newest(call, () => [...call.mirror.persons({ contract, limit: 1 })][0]);
  if (person) return person;
  const remedy = 'Take one of `contractIds` from listPersons.';
  throw new ToolError('not-found', `/contractId: no person has a payroll contract with this id. ${remedy}`);
}

/** Looks again in a newer copy, because what it looks for may be new. */
async function newest<Found>(call: ToolCall, look: () => Found | undefined): Promise<Found | undefined> {
  const found = look();
  if (found !== undefined) return found;
  call.copy.expire('persons');
  await call.copy.upToDate(call, ['persons']);
  return look();
}
