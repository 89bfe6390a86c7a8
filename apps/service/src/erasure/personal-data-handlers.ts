import { erasePerson, readmitPerson } from './erase-person.ts';
import { exportPerson } from './personal-data.ts';
import type { Afterwards, Handlers } from '../http/route.ts';
import type { personalDataOperations } from './personal-data-operations.ts';

export const personalDataHandlers = {
  operatorExportPerson: ({ database, path }) => exportPerson(database, path.personId),
  operatorErasePerson: ({ transaction, path, grant }) => erasePerson(transaction, path.personId, grant.clientId),
  operatorReadmitPerson: ({ transaction, path }) => readmitPerson(transaction, path.personId),
} satisfies Handlers<typeof personalDataOperations>;

export const afterErasure = {
  // An embedded database reuses the space of deleted rows only after a vacuum.
  operatorErasePerson: (_path, { database }) => database.vacuum(),
} satisfies Afterwards<typeof personalDataOperations>;
