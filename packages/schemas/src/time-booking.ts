import { z } from 'zod';
import { deleted, nullable } from './delta.ts';
import { HoursMinutes } from './hours-minutes.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';
import { LocalDateTime } from './local-date-time.ts';

const TimeBooking = z.strictObject({ time: LocalDateTime, key: Identifier.describe('The booking key.') }).meta({
  id: 'TimeBooking',
});

/** One day of a person's time account (section 2.8). */
export const TimeBookingDay = z
  .strictObject({
    date: LocalDate,
    targetTime: HoursMinutes.optional(),
    bookedTime: HoursMinutes.optional(),
    chargeableTime: HoursMinutes.optional(),
    bookings: z.array(TimeBooking).optional(),
  })
  .meta({ id: 'TimeBookingDay' });
export type TimeBookingDay = z.output<typeof TimeBookingDay>;

/** The time bookings of a person, by day (section 2.8). */
export const TimeBookingPerson = z
  .strictObject({ personId: Identifier, days: z.array(TimeBookingDay) })
  .meta({ id: 'TimeBookingPerson' });
export type TimeBookingPerson = z.output<typeof TimeBookingPerson>;

const { date, ...fields } = TimeBookingDay.shape;

/** A day in a list of changes: as it is now, or deleted (section 4.4). */
export const TimeBookingDayDelta = z
  .strictObject({ date, ...nullable(fields), deleted })
  .meta({ id: 'TimeBookingDayDelta', description: 'Its fields are `null` when it was deleted.' });
export type TimeBookingDayDelta = z.output<typeof TimeBookingDayDelta>;

/** The time bookings of a person in a list of changes: only the days that changed (section 4.4). */
export const TimeBookingPersonDelta = z
  .strictObject({ personId: Identifier, days: z.array(TimeBookingDayDelta) })
  .meta({ id: 'TimeBookingPersonDelta' });
export type TimeBookingPersonDelta = z.output<typeof TimeBookingPersonDelta>;
