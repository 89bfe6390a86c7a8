import { LocalDate } from '@hr/schemas';
import { csv } from '@hr/text/write-csv';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { dayNumber, monthOf, nearestMonth } from '../model/calendar.ts';
import { dictionaryOf, type Dictionary } from '../model/labels.ts';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { choicesOf, membersOf, teamQuery } from '../backend/teams.ts';
import type { View } from '../backend/view.ts';
import { teamOf } from '../model/team.ts';
import type { Locale } from '../shell/locale.tsx';
import { absenceRows, filterPeople, type AbsentPerson } from './absence-days.ts';
import { messages } from './messages.ts';

export type AbsencesScreen = ReturnType<typeof absencesScreen>;

const MAX_DAYS = 366;
const MAX_TEXT = 400;

const Filter = z
  .object({
    from: LocalDate,
    to: LocalDate,
    name: z.string().max(MAX_TEXT).optional(),
    ...teamQuery,
  })
  .refine(({ from, to }) => from <= to && dayNumber(to) - dayNumber(from) < MAX_DAYS, {
    path: ['to'],
    message: `must be from "from" on, and at most ${MAX_DAYS} days later`,
  });
type Filter = z.infer<typeof Filter>;
const CsvQuery = Filter.safeExtend({
  only: z.stringbool().default(false),
  day: LocalDate.optional(),
  locale: z.enum(['en', 'de']).default('en'),
});

/** Adds what the screen Absences shows. */
export function addAbsencesRoutes(app: FastifyInstance, { records }: Console): void {
  app.get('/bff/absences', ({ view, query }) => absencesScreen(view, parseInput(Filter, query)));

  app.get('/bff/absences/csv', (request, reply) => {
    const { only, day, locale, ...filter } = parseInput(CsvQuery, request.query);
    const people = filterPeople(absencesScreen(request.view, filter).people, { only, day });
    records.record(request.user, 'export');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="absences-${filter.from}-${filter.to}.csv"`)
      .send(absencesCsv(people, locale, dictionaryOf(records.labels(), locale)));
  });
}

function absencesScreen(view: View, { from, to, name, ...team }: Filter) {
  const absences = Map.groupBy(view.absences({ from, to }), ({ personId }) => personId);
  const named = name === undefined ? undefined : new Set(Array.from(view.persons({ name }), ({ id }) => id));
  const people = teamOf(membersOf(view), team)
    .filter(({ id }) => named?.has(id) ?? true)
    .map((member): AbsentPerson => ({
      id: member.id,
      name: member.name,
      employeeNumber: member.employeeNumber,
      absences: (absences.get(member.id) ?? []).map(({ id, startDate, endDate, amount, key }) => ({
        id,
        startDate,
        endDate: endDate ?? undefined,
        amount: amount ?? undefined,
        key: key ?? undefined,
      })),
    }));
  const isEmpty = people.every((person) => person.absences.length === 0);
  return {
    from,
    to,
    /** When absences were read last, an ISO 8601 instant; undefined if they never were. */
    syncedAt: view.status().find(({ collection }) => collection === 'absences')?.syncedAt,
    /** Of all persons. */
    choices: choicesOf(view),
    /** All persons whom the filter leaves, also those without absences, in the order of their last names. */
    people,
    /** If none of them has an absence in the range: the nearest month that has one. */
    nearest: isEmpty ? nearestMonth(monthsWithAbsences(view, people, to), monthOf(from)) : undefined,
  };
}

/** The months in which absences of some people begin or end, of those that do not overlap a time range. */
function monthsWithAbsences(view: View, people: readonly AbsentPerson[], to: string): string[] {
  const ids = new Set(people.map(({ id }) => id));
  const months = new Set<string>();
  for (const { personId, startDate, endDate } of view.absences()) {
    if (ids.has(personId)) months.add(monthOf(startDate > to ? startDate : (endDate ?? startDate)));
  }
  return [...months].toSorted();
}

/** Absences as CSV for a spreadsheet, with headings in the language of the person. Persons without absences have a row. */
export function absencesCsv(people: readonly AbsentPerson[], locale: Locale, { nameOf }: Dictionary): string {
  const { csvColumns: name } = messages[locale];
  return csv(
    [
      { name: name.personId, value: ({ person }) => person.id },
      { name: name.employeeNumber, value: ({ person }) => person.employeeNumber },
      { name: name.name, value: ({ person }) => person.name },
      { name: name.id, value: ({ absence }) => absence?.id },
      { name: name.startDate, value: ({ absence }) => absence?.startDate, type: 'date' },
      { name: name.endDate, value: ({ absence }) => absence?.endDate, type: 'date' },
      { name: name.amount, value: ({ absence }) => absence?.amount },
      { name: name.key, value: ({ absence }) => absence?.key },
      {
        name: name.keyName,
        value: ({ absence }) => (absence?.key && nameOf('bookingKey', absence.key, '')) || undefined,
      },
    ],
    absenceRows(people),
    locale,
  );
}
