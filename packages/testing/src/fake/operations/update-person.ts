import { applyPatch } from '@hr/schemas/rules';
import { changePerson } from '../change-person.ts';
import { wholePerson } from '../whole-person.ts';
import type { Handler } from './handler.ts';

export const updatePerson: Handler<'updatePerson'> = ({ store, path, body }) => {
  const person = store.persons.get(path.id);
  if (!person) return undefined;
  changePerson(store, person, () => {
    person.record = applyPatch(person.record, body);
  });
  return wholePerson(store, person);
};
