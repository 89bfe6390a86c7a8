import { Absence as AbsenceModel, operations } from '@hr/schemas';
import { z } from 'zod';
import { freshnessFields, maxAgeMinutes } from './local-copy.ts';
import { interruptible, pageFields, pageOf, pageParameters } from './pages.ts';
import { filterParameters, selectedPersons } from './person-filter.ts';
import { PersonName, personName } from './person-view.ts';
import { shown, withoutEmpty } from './shown.ts';
import { operationTool } from './tool.ts';

const { from, to } = operations.listAbsences.query.shape;
const { personId } = operations.listAbsences.pathParameters.shape;

const AbsenceOfPerson = shown(AbsenceModel.omit({ id: true, personId: true }));

interface Absent extends z.output<typeof PersonName> {
  readonly absences: unknown[];
}

export const listAbsences = operationTool('listAbsences', {
  about: `Without \`personId\` it lists everyone whose absences overlap the days from \`from\` to \`to\`, one row for each person, and counts them by group: one call answers "who was absent last week". It reads the local copy, which it brings up to date if that is older than ${maxAgeMinutes.absences} minutes, with one request for each person, so it can take minutes; \`refresh\` forces that. With \`personId\` it asks the HR Cloud itself. Absences have no types: the key is a booking key of the company, and nothing tells vacation from sickness, so never guess. The unit of \`amount\` is not specified.`,
  parameters: {
    personId: personId.optional(),
    from: from.unwrap(),
    to: to.unwrap(),
    ...filterParameters,
    refresh: z.boolean().describe('Bring the local copy up to date first.').default(false),
    ...pageParameters,
  },
  output: z.object({
    ...freshnessFields,
    ...pageFields,
    absences: z.int().describe('Number of absences on all pages.'),
    byGroup: z
      .array(z.object({ group: z.string(), absent: z.int(), persons: z.int().describe('Selected members.') }))
      .describe('Number of absent persons by group, on the first page only.')
      .optional(),
    persons: z.array(PersonName.extend({ absences: z.array(AbsenceOfPerson) })),
  }),
  async run(call, { personId: id, from: first, to: last, refresh, cursor, limit, ...filter }) {
    const days = { from: first, to: last };
    const freshness = await call.copy.upToDate(call, id === undefined ? ['persons', 'absences'] : ['persons'], refresh);
    const absent = new Map<string, Absent>();
    const groups = new Map<string, { absent: number; persons: number }>();
    for await (const person of selectedPersons(call, { ...filter, personId: id })) {
      absent.set(person.id, { ...personName(person), absences: [] });
    }
    let count = 0;
    const found =
      id === undefined
        ? interruptible(call.mirror.absences(days), call.signal)
        : call.hr.time.absencesOverlapping(id, days, { signal: call.signal });
    for await (const absence of found) {
      const person = absent.get(absence.personId);
      if (!person) continue;
      count++;
      person.absences.push(AbsenceOfPerson.parse(withoutEmpty(absence)));
    }
    for (const { groups: ids, absences } of absent.values()) {
      for (const group of new Set(ids)) {
        const counts = groups.get(group) ?? { absent: 0, persons: 0 };
        groups.set(group, { absent: counts.absent + Math.sign(absences.length), persons: counts.persons + 1 });
      }
    }
    const rows = [...absent.values()].filter(({ absences }) => absences.length > 0);
    const { rows: persons, ...page } = pageOf(rows, { cursor, limit }, (row) => row.personId);
    call.note({
      personIds: persons.map((person) => person.personId),
      counts: { persons: persons.length, total: page.total, absences: count },
    });
    const byGroup = [...groups]
      .map(([group, counts]) => ({ group, ...counts }))
      .filter((counts) => counts.absent > 0)
      .toSorted((one, other) => other.absent - one.absent);
    return {
      ...freshness,
      ...(id !== undefined && { asOf: new Date().toISOString() }),
      ...page,
      absences: count,
      ...(cursor === undefined && { byGroup }),
      persons,
    };
  },
});
