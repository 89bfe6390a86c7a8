import { erasePerson, readmitPerson } from './erase-person.ts';
import { exportPerson } from './personal-data.ts';
import type { OperatorHandlers } from '../operator/operator-routes.ts';

/** What a person may ask of those who keep data: a copy of all of it, or that it be erased. */
export const personHandlers = {
  operatorExportPerson: ({ database, path }) => exportPerson(database, path.personId),
  operatorErasePerson: ({ transaction, path, grant }) => erasePerson(transaction, path.personId, grant.clientId),
  operatorReadmitPerson: ({ transaction, path }) => readmitPerson(transaction, path.personId),
} satisfies Partial<OperatorHandlers>;
