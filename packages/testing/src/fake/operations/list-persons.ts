import { erasedPerson, personDelta, systems } from '@hr/schemas/rules';
import { compareCodePoints } from '../compare-code-points.ts';
import { wholePerson } from '../whole-person.ts';
import type { Handler } from './handler.ts';

export const listPersons: Handler<'listPersons'> = ({ store, query: { changedSince } }) => {
  const persons = [...store.persons].map(([id, person]) => ({ id, person }));
  if (changedSince === undefined) return persons.toSorted(byId).map(({ person }) => wholePerson(store, person));
  const changed = persons.flatMap(({ id, person }) => {
    const those = systems.filter((system) => person.changedOn[system] >= changedSince);
    return those.length > 0 ? [{ id, element: personDelta(wholePerson(store, person), those) }] : [];
  });
  const erased = [...store.erased].flatMap(([id, day]) =>
    day >= changedSince ? [{ id, element: erasedPerson(id) }] : [],
  );
  return [...changed, ...erased].toSorted(byId).map(({ element }) => element);
};

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return compareCodePoints(one.id, other.id);
}
