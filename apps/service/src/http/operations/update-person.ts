import { patchPerson } from '../../database/persons.ts';
import type { Handler } from '../handler.ts';

export const updatePerson: Handler<'updatePerson'> = ({ database, path, body }) => patchPerson(database, path.id, body);
