import type { Person } from '@hr/client';
import { operations, Person as PersonModel } from '@hr/schemas';
import { z } from 'zod';
import { interruptible, pageParameters } from './pages.ts';
import { ToolError, type ToolCall } from './tool.ts';

const Beginning = z.string().regex(/^\d{4}(?:-\d{2}){0,2}$/);

/** The parameters that select persons. */
const filterParameters = {
  name: z
    .string()
    .describe('Words, each the beginning of a word of the name, the employee number or the id. Accents do not matter.')
    .optional(),
  group: z.string().describe('Id of a group, from listGroups.').optional(),
  status: PersonModel.shape.status,
  managerId: z.string().describe('Person id of the disciplinary manager: the direct reports.').optional(),
};

/** Those that only lists of persons have. */
export const personParameters = {
  ...filterParameters,
  contract: z.string().describe('Payroll contract id of the person.').optional(),
  joined: Beginning.describe('Year, month or day of `groupEntryDate`, such as 2025 or 2025-03.').optional(),
  left: Beginning.describe('The same of `groupExitDate`.').optional(),
};

/** Those of tools for the days from `from` to `to`. */
export const dayParameters = {
  personId: operations.listAbsences.pathParameters.shape.personId.optional(),
  from: operations.listAbsences.query.shape.from.unwrap(),
  to: operations.listAbsences.query.shape.to.unwrap(),
  ...filterParameters,
  ...pageParameters,
};

/** Which persons to select: those to whom all given conditions apply. */
type PersonFilter = z.output<z.ZodObject<typeof personParameters>> & { readonly personId?: string | undefined };

/**
 * Yields the persons of the local copy that a filter selects, in the order of their ids.
 *
 * @throws {ToolError} if there is no person with the id, or no group.
 */
export async function* selectedPersons(
  call: ToolCall,
  { personId, name, group, status, contract, managerId, joined = '', left = '' }: PersonFilter,
): AsyncGenerator<Person, void, undefined> {
  const { mirror, signal } = call;
  if (personId !== undefined) {
    if ([name, group, status, managerId].some((value) => value !== undefined)) {
      throw new ToolError('invalid-arguments', '/personId selects one person. Leave out the other filters.');
    }
    yield await existingPerson(call, personId, '/personId');
    return;
  }
  if (managerId !== undefined) await existingPerson(call, managerId, '/managerId');
  if (group !== undefined && mirror.countPersons({ group }) === 0) {
    throw new ToolError('not-found', '/group: there is no group with this id. Take an id from listGroups.');
  }
  for await (const person of interruptible(mirror.persons({ name, group, status, contract }), signal)) {
    const { groupEntryDate, groupExitDate } = person;
    const isSelected = managerId === undefined || person.managerId === managerId;
    if (isSelected && (groupEntryDate ?? '').startsWith(joined) && (groupExitDate ?? '').startsWith(left)) yield person;
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
