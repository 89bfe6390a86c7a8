import { z } from 'zod';
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
