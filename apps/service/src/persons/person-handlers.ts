import type { Operations } from '@hr/schemas';
import { sinceOf } from '../database/change-sets.ts';
import type { Handlers } from '../http/route.ts';
import { personList } from './person-list.ts';
import { updatePerson } from './update-person.ts';

/** Persons (sections 4.1 and 4.2). */
export const personHandlers = {
  listPersons: async ({ database, config, query, grant }) =>
    database.list(personList(grant, await sinceOf(query, database, config))),
  updatePerson: ({ transaction, path, body, grant }) => updatePerson(transaction, path.id, body, grant),
} satisfies Partial<Handlers<Operations>>;
