import { patchPerson } from '../../database/persons.ts';
import type { Handler } from '../handler.ts';

export const updatePerson: Handler<'updatePerson'> = ({ transaction, path, body }) =>
  patchPerson(transaction, path.id, body);
