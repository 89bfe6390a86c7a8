import type { Absence, Person } from '@hr/client';
import { Absence as AbsenceModel, HoursMinutes, TimeBookingDay as DayModel, toMinutes } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import { z } from 'zod';
import { Counts, groupDaysBy, valuesOf } from './counts.ts';
import { interruptible, pageOf } from './pages.ts';
import { dayParameters, selectedPersons } from './person-filter.ts';
import { personInRow } from './person-view.ts';
import { shown } from './shown.ts';
import { operationTool, readingTool, ToolError, type ToolCall } from './tool.ts';

const bookingsView = shown(DayModel.pick({ bookings: true }));
const times = { target: 'targetTime', booked: 'bookedTime', chargeable: 'chargeableTime' } as const;
const MINUTES_PER_HOUR = 60;

const listTimeBookings = operationTool('listTimeBookings', {
  about:
    'Reads the local copy, one row for each person and day, in pages. Times are in minutes. For totals use sumTimeBookings. `time` of a booking is the wall clock, without a zone.',
  parameters: dayParameters,
  async run(call, query) {
    const head = await call.copy.upToDate(call, ['persons', 'bookings']);
    return await pageOf(call, query, {
      head,
      name: 'days',
      rows: selectedDays(call, query),
      keyOf: ({ person, day }) => `${person.id}\0${day.date}`,
      view: ({ person, day }) => ({
        personId: person.id,
        name: personName(person),
        date: day.date,
        targetMinutes: minutes(day.targetTime),
        bookedMinutes: minutes(day.bookedTime),
        chargeableMinutes: minutes(day.chargeableTime),
        ...bookingsView(day),
      }),
      personOf: ({ person }) => person.id,
    });
  },
});

const sumTimeBookings = readingTool('Add up time bookings', ['listTimeBookings'], {
  about:
    'Reads the local copy and adds in minutes: one call answers "how many hours did a group book in October". Without `groupBy`, the only row is the sum of all. `persons` and `days` are the numbers of those with time data. A member of two groups counts in both. `unreadable` is the number of days with times that are left out, because they are not hours and minutes.',
  parameters: { ...dayParameters, groupBy: groupDaysBy },
  async run(call, query) {
    const head = await call.copy.upToDate(call, ['persons', 'bookings']);
    const sums = new Counts();
    for await (const { person, day } of selectedDays(call, query)) {
      const numbers: Record<string, number> = { days: 1 };
      for (const [name, field] of Object.entries(times)) {
        const time = minutes(day[field]);
        numbers[name] = time ?? 0;
        if (time === undefined && typeof day[field] === 'number') numbers['unreadable'] = 1;
      }
      sums.add(valuesOf(person, query.groupBy, day.date), person, numbers);
    }
    return await sums.page(call, query, {
      head,
      size: 'booked',
      view: ({ days, unreadable, ...sum }) => ({
        days,
        unreadable,
        ...Object.fromEntries(Object.entries(sum).map(([name, size]) => [name, { minutes: size, text: text(size) }])),
      }),
    });
  },
});

/** Yields the days with time data of the selected persons, by person and date. */
async function* selectedDays(call: ToolCall, query: z.output<z.ZodObject<typeof dayParameters>>) {
  for await (const person of selectedPersons(call, query)) {
    for (const { days } of call.mirror.bookings({ personId: person.id, from: query.from, to: query.to })) {
      for (const day of days) yield { person, day };
    }
  }
}

/** Responses may have times that are not hours and minutes. */
function minutes(time: number | null | undefined): number | undefined {
  return typeof time === 'number' && HoursMinutes.safeParse(time).success ? toMinutes(time) : undefined;
}

function text(sum: number): string {
  const size = Math.abs(sum);
  return `${sum < 0 ? 'minus ' : ''}${Math.floor(size / MINUTES_PER_HOUR)} h ${size % MINUTES_PER_HOUR} min`;
}

const absenceView = shown(AbsenceModel.omit({ id: true, personId: true }));
const DAY_MS = 86_400_000;
const MAX_DAYS_BY_MONTH = 3660;

const listAbsences = operationTool('listAbsences', {
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
        view: ({ person, absence }) => ({ ...personInRow(person), ...absenceView(absence) }),
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

/** The tools of time. */
export const timeTools = { listTimeBookings, sumTimeBookings, listAbsences };
