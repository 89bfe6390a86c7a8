import type { Person, TimeBookingDay } from '@hr/client';
import { z } from 'zod';
import { freshnessFields } from './local-copy.ts';
import { pageFields, pageOf } from './pages.ts';
import { personName } from './person-view.ts';
import { bookingParameters, minutesOf, selectedDays, type Times } from './time-bookings.ts';
import { readingTool } from './tool.ts';

/** The sums in which a day counts. */
const sumsOf = {
  all: () => [''],
  group: (person) => (person.groups ?? []).map(({ id }) => id),
  person: ({ id }) => [id],
  month: (_person, { date }) => [date.slice(0, 'YYYY-MM'.length)],
} satisfies Record<string, (person: Person, day: TimeBookingDay) => string[]>;

interface Sum extends Times<number> {
  readonly persons: Set<string>;
  days: number;
  name?: string;
}

const names = ['target', 'booked', 'chargeable'] as const satisfies (keyof Times<number>)[];
const MINUTES_PER_HOUR = 60;
const Time = z.object({ minutes: z.int(), text: z.string().describe('The same in hours and minutes.') });

export const sumTimeBookings = readingTool('Add up time bookings', ['listTimeBookings'], {
  about:
    'Reads the local copy and adds in minutes: one call answers "how many hours did a group book in October". With `by: "group"`, a member of two groups counts in both.',
  parameters: {
    ...bookingParameters,
    by: z
      .enum(Object.keys(sumsOf) as (keyof typeof sumsOf)[])
      .describe('What a row is.')
      .default('all'),
  },
  output: z.object({
    ...freshnessFields,
    ...pageFields,
    unreadable: z.int().describe('Number of times left out, because they are not hours and minutes.').optional(),
    sums: z.array(
      z.object({
        of: z.string().describe('Group id, person id or month; missing for everyone.').optional(),
        name: z.string().optional(),
        persons: z.int().describe('Number of persons with time data.'),
        days: z.int().describe('Number of days with time data.'),
        target: Time,
        booked: Time,
        chargeable: Time,
      }),
    ),
  }),
  async run(call, { cursor, limit, by, ...query }) {
    const freshness = await call.copy.upToDate(call, ['persons', 'bookings']);
    const sums = new Map<string, Sum>();
    let unreadable = 0;
    for await (const { person, day } of selectedDays(call, query)) {
      const minutes = minutesOf(day);
      const given = [day.targetTime, day.bookedTime, day.chargeableTime];
      unreadable += given.filter((value) => typeof value === 'number').length;
      unreadable -= names.filter((name) => minutes[name] !== undefined).length;
      for (const key of new Set(sumsOf[by](person, day))) {
        const sum = sums.get(key) ?? { persons: new Set(), days: 0, target: 0, booked: 0, chargeable: 0 };
        sums.set(key, sum);
        if (by === 'person') sum.name = personName(person).name;
        sum.persons.add(person.id);
        sum.days++;
        for (const name of names) sum[name] += minutes[name] ?? 0;
      }
    }
    const { rows, ...page } = pageOf([...sums], { cursor, limit }, ([key]) => key);
    call.note({ counts: { sums: rows.length, total: page.total } });
    return {
      ...freshness,
      ...page,
      ...(unreadable > 0 && { unreadable }),
      sums: rows.map(([key, { persons, days, name, target, booked, chargeable }]) => ({
        ...(key !== '' && { of: key }),
        ...(name !== undefined && { name }),
        persons: persons.size,
        days,
        target: time(target),
        booked: time(booked),
        chargeable: time(chargeable),
      })),
    };
  },
});

function time(minutes: number): z.output<typeof Time> {
  const size = Math.abs(minutes);
  const text = `${Math.floor(size / MINUTES_PER_HOUR)} h ${size % MINUTES_PER_HOUR} min`;
  return { minutes, text: minutes < 0 ? `minus ${text}` : text };
}
