import { LocalDate } from '@hr/schemas';
import type { Mirror } from '@hr/client/mirror';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { dayNumber, monthOf, nearestMonth } from '../model/calendar.ts';
import { dictionaryOf } from '../model/labels.ts';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { choicesOf, membersOf, teamQuery } from '../backend/teams.ts';
import { teamOf, type TeamChoices } from '../model/team.ts';
import { filterPeople, type AbsentPerson, type ShownAbsence } from './absence-days.ts';
import { absencesCsv } from './absences-csv.ts';

export interface AbsencesScreen {
  readonly from: string;
  readonly to: string;
  /** When absences were read last, an ISO 8601 instant; undefined if they never were. */
  readonly syncedAt: string | undefined;
  /** Of all persons. */
  readonly choices: TeamChoices;
  /** All persons whom the filter leaves, also those without absences, in the order of their last names. */
  readonly people: readonly AbsentPerson[];
  /** If none of them has an absence in the range: the nearest month that has one. */
  readonly nearest?: string | undefined;
}

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
export function addAbsencesRoutes(app: FastifyInstance, { cloud, records }: Console): void {
  app.get('/bff/absences', ({ query }) => absencesScreen(cloud, parseInput(Filter, query)));

  app.get('/bff/absences/csv', (request, reply) => {
    const { only, day, locale, ...filter } = parseInput(CsvQuery, request.query);
    const people = filterPeople(absencesScreen(cloud, filter).people, { only, day });
    records.record(request.user, 'export');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="absences-${filter.from}-${filter.to}.csv"`)
      .send(absencesCsv(people, locale, dictionaryOf(records.labels(), locale)));
  });
}

function absencesScreen({ mirror }: Console['cloud'], { from, to, name, ...team }: Filter): AbsencesScreen {
  const absences = new Map<string, ShownAbsence[]>();
  for (const { id, personId, startDate, endDate, amount, key } of mirror.absences({ from, to })) {
    const shown = { id, startDate, endDate: endDate ?? undefined, amount: amount ?? undefined, key: key ?? undefined };
    const list = absences.get(personId);
    if (list) list.push(shown);
    else absences.set(personId, [shown]);
  }

  const named = name === undefined ? undefined : new Set(Array.from(mirror.persons({ name }), ({ id }) => id));
  const people = teamOf(membersOf(mirror), team)
    .filter(({ id }) => named?.has(id) ?? true)
    .map(({ id, name: shown, employeeNumber }) => ({
      id,
      name: shown,
      employeeNumber,
      absences: absences.get(id) ?? [],
    }));
  const { syncedAt } = mirror.status().find(({ collection }) => collection === 'absences') ?? {};
  const isEmpty = people.every((person) => person.absences.length === 0);
  const nearest = isEmpty ? nearestMonth(monthsWithAbsences(mirror, people, to), monthOf(from)) : undefined;
  return { from, to, syncedAt, choices: choicesOf(mirror), people, nearest };
}

/** The months in which absences of some people begin or end, of those that do not overlap a time range. */
function monthsWithAbsences(mirror: Mirror, people: readonly AbsentPerson[], to: string): string[] {
  const ids = new Set(people.map(({ id }) => id));
  const months = new Set<string>();
  for (const { personId, startDate, endDate } of mirror.absences()) {
    if (ids.has(personId)) months.add(monthOf(startDate > to ? startDate : (endDate ?? startDate)));
  }
  return [...months].toSorted();
}
