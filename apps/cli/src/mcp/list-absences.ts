import type { Absence, Person } from '@hr/client';
import { Absence as AbsenceModel } from '@hr/schemas';
import { z } from 'zod';
import { Counts, groupDaysBy, valuesOf } from './counts.ts';
import { interruptible, pageOf } from './pages.ts';
import { dayParameters, selectedPersons } from './person-filter.ts';
import { personName } from './person-view.ts';
import { shown } from './shown.ts';
import { operationTool, ToolError } from './tool.ts';

const absenceView = shown(AbsenceModel.omit({ id: true, personId: true }));
const DAY_MS = 86_400_000;
const MAX_DAYS_BY_MONTH = 3660;

export const listAbsences = operationTool('listAbsences', {
  about:
    'Without `personId` it lists the absences of everyone that overlap the days from `from` to `to`: one call answers "who was absent last week". `persons` are absent, of `selected` ones. With `groupBy` it counts absent persons, absences and `days`: calendar days of absence within the window, weekends too; a member of two groups counts in both. It reads the local copy, which can take minutes if the HR Cloud lists absences by person only; `refresh` forces it. With `personId` it asks the HR Cloud itself. Absences have no types: the key is a booking key of the company, and nothing tells vacation from sickness, so never guess. The unit of `amount` is not specified.',
  parameters: {
    ...dayParameters,
    refresh: z.boolean().describe('Bring the local copy up to date first.').default(false),
    groupBy: groupDaysBy,
  },
  async run(call, query) {
    const { personId: id, from: first, to: last, refresh, groupBy } = query;
    if (groupBy === 'month' && daysOf(first, last) > MAX_DAYS_BY_MONTH) {
      throw new ToolError('invalid-arguments', '/to: groupBy month takes at most ten years.');
    }
    const window = { from: first, to: last };
    const freshness = await call.copy.upToDate(call, id === undefined ? ['persons', 'absences'] : ['persons'], refresh);
    const persons = new Map<string, Person>();
    for await (const person of selectedPersons(call, query)) persons.set(person.id, person);
    const found =
      id === undefined
        ? interruptible(call.mirror.absences(window), call.signal)
        : call.hr.time.absencesOverlapping(id, window, { signal: call.signal });
    const rows: { readonly person: Person; readonly absence: Absence }[] = [];
    for await (const absence of found) {
      const person = persons.get(absence.personId);
      if (person) rows.push({ person, absence });
    }
    const head = {
      ...freshness,
      ...(id !== undefined && { asOf: new Date().toISOString() }),
      persons: new Set(rows.map(({ person }) => person)).size,
      selected: persons.size,
    };
    if (groupBy === undefined) {
      return await pageOf(call, query, {
        head,
        name: 'absences',
        rows,
        keyOf: ({ person, absence }) => `${person.id}\0${absence.startDate}\0${absence.id}`,
        view: ({ person, absence }) => ({ ...personName(person), ...absenceView(absence) }),
        personOf: ({ person }) => person.id,
      });
    }
    const counts = new Counts();
    for (const { person, absence } of rows) {
      const start = absence.startDate > first ? absence.startDate : first;
      const end = absence.endDate && absence.endDate < last ? absence.endDate : last;
      const parts = groupBy === 'month' ? daysByMonth(start, end) : [[start, daysOf(start, end)] as const];
      for (const [day, days] of parts) counts.add(valuesOf(person, groupBy, day), person, { absences: 1, days });
    }
    return await counts.page(call, query, { head, size: 'days' });
  },
});

function daysOf(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
}

function* daysByMonth(first: string, last: string): Generator<[string, number], void, undefined> {
  const end = Date.parse(last) + DAY_MS;
  for (let day = new Date(first); day.getTime() < end;) {
    const next = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1));
    const days = (Math.min(end, next.getTime()) - day.getTime()) / DAY_MS;
    yield [day.toISOString(), days];
    day = next;
  }
}
