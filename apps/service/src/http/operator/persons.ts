import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import { erasePerson, readmitPerson } from '../../database/erase-person.ts';
import { exportPerson } from '../../database/export-person.ts';
import { none, operatorRoute } from './operator-route.ts';

const person = z.strictObject({ personId: Identifier });

/** What a person may ask of those who keep data: a copy of all of it, or that it be erased. */
export const personRoutes = [
  operatorRoute({
    id: 'operatorExportPerson',
    method: 'GET',
    path: '/operator/v1/persons/{personId}/export',
    pathParameters: person,
    query: none,
    answer: ({ database, path }) => exportPerson(database, path.personId),
  }),
  operatorRoute({
    id: 'operatorErasePerson',
    method: 'POST',
    path: '/operator/v1/persons/{personId}/erase',
    pathParameters: person,
    query: none,
    body: none.optional(),
    answer: ({ transaction, path, grant }) => erasePerson(transaction, path.personId, grant.clientId),
    // An embedded database makes the room of what was erased free again only when it is told to.
    afterwards: (_path, { database }) => database.vacuum(),
  }),
  operatorRoute({
    id: 'operatorReadmitPerson',
    method: 'POST',
    path: '/operator/v1/persons/{personId}/readmit',
    pathParameters: person,
    query: none,
    body: none.optional(),
    answer: ({ transaction, path }) => readmitPerson(transaction, path.personId),
  }),
];
