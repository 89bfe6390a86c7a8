import { HoursMinutes, TimeBookingDay as DayModel, toMinutes } from '@hr/schemas';
import type { z } from 'zod';
import { Counts, groupDaysBy, valuesOf } from './counts.ts';
import { pageOf } from './pages.ts';
import { dayParameters, selectedPersons } from './person-filter.ts';
import { personName } from './person-view.ts';
import { shown } from './shown.ts';
import { operationTool, readingTool, type ToolCall } from './tool.ts';

const bookingsView = shown(DayModel.pick({ bookings: true }));
const times = { target: 'targetTime', booked: 'bookedTime', chargeable: 'chargeableTime' } as const;
const MINUTES_PER_HOUR = 60;

export const listTimeBookings = operationTool('listTimeBookings', {
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
        name: personName(person).name,
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

export const sumTimeBookings = readingTool('Add up time bookings', ['listTimeBookings'], {
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
