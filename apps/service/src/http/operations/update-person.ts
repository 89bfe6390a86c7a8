import { patchPerson } from '../../database/persons.ts';
import type { Handler } from '../handler.ts';

export const updatePerson: Handler<'updatePerson'> = ({ transaction, path, body, grant }) =>
  patchPerson(transaction, path.id, body, grant.customFields);
