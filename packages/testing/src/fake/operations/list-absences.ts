import { matchesAbsenceFilter } from '@hr/schemas/rules';
import { compareCodePoints } from '../compare-code-points.ts';
import type { Handler } from './handler.ts';

export const listAbsences: Handler<'listAbsences'> = ({ store, path, query: { changedSince = '', ...window } }) => {
  const person = store.persons.get(path.personId);
  if (!person) return undefined;
  return [...person.absences.values()]
    .filter(({ content, changedOn }) => changedOn >= changedSince && matchesAbsenceFilter(content, window))
    .map(({ content }) => content)
    .toSorted((one, other) => compareCodePoints(one.startDate, other.startDate) || compareCodePoints(one.id, other.id));
};
