import type { Operations } from '@hr/schemas';
import { cursorList } from '../changes/cursor-list.ts';
import type { Handlers } from '../http/route.ts';
import { personList } from './person-list.ts';
import { updatePerson } from './update-person.ts';

/** Persons (sections 4.1 and 4.2). */
export const personHandlers = {
  listPersons: (call) => cursorList(call, (since) => personList(call.grant, since)),
  updatePerson: ({ transaction, path, body, grant }) => updatePerson(transaction, path.id, body, grant),
} satisfies Partial<Handlers<Operations>>;
