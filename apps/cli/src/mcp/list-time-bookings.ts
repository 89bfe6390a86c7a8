import { TimeBookingDay } from '@hr/schemas';
import { z } from 'zod';
import { freshnessFields } from './local-copy.ts';
import { pageFields } from './pages.ts';
import { PersonName, personName } from './person-view.ts';
import { shown, withoutEmpty } from './shown.ts';
import { bookingParameters, minutesOf, selectedDays } from './time-bookings.ts';
import { operationTool, ToolError } from './tool.ts';

const Bookings = shown(TimeBookingDay.pick({ bookings: true })) as z.ZodObject;
const Day = PersonName.omit({ groups: true }).extend({
  date: z.string(),
  targetMinutes: z.int().optional(),
  bookedMinutes: z.int().optional(),
  chargeableMinutes: z.int().optional(),
  ...Bookings.shape,
});

export const listTimeBookings = operationTool('listTimeBookings', {
  about:
    'Reads the local copy, one row for each person and day, in pages. Times are in minutes. For totals use sumTimeBookings. `time` of a booking is the wall clock, without a zone.',
  parameters: bookingParameters,
  output: z.object({ ...freshnessFields, ...pageFields, days: z.array(Day) }),
  async run(call, { cursor, limit, ...query }) {
    const freshness = await call.copy.upToDate(call, ['persons', 'bookings']);
    const isAfterCursor = afterCursor(cursor);
    const days: z.input<typeof Day>[] = [];
    let total = 0;
    let last = '';
    let isComplete = true;
    for await (const { person, day } of selectedDays(call, query)) {
      total++;
      if (!isAfterCursor(person.id, day.date)) continue;
      if (days.length === limit) {
        isComplete = false;
        continue;
      }
      const { target, booked, chargeable } = minutesOf(day);
      const { personId, name } = personName(person);
      const times = { targetMinutes: target, bookedMinutes: booked, chargeableMinutes: chargeable };
      days.push({ personId, name, date: day.date, ...times, ...Bookings.parse(withoutEmpty(day)) });
      last = `${day.date} ${person.id}`;
    }
    const personIds = [...new Set(days.map(({ personId }) => personId))];
    call.note({ personIds, counts: { days: days.length, total } });
    return { ...freshness, total, ...(!isComplete && { nextCursor: last }), days };
  },
});

/** Whether a row comes after the cursor. Rows are in the order of ids by code point, which is the order of their bytes. */
function afterCursor(cursor: string | undefined): (id: string, date: string) => boolean {
  if (cursor === undefined) return () => true;
  const [, date, id] = /^(\S+) (.+)$/s.exec(cursor) ?? [];
  if (date === undefined || id === undefined) {
    throw new ToolError('invalid-arguments', '/cursor must be `nextCursor` of the previous page.');
  }
  const bytes = Buffer.from(id);
  return (other, day) => (other === id ? day > date : Buffer.compare(Buffer.from(other), bytes) > 0);
}
