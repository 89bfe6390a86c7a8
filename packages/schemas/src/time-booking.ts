import { z } from 'zod';
import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { deleted, nullable } from './delta.ts';
import { HoursMinutes, Identifier, LocalDate, LocalDateTime } from './primitives.ts';

const TimeBooking = z.strictObject({ time: LocalDateTime, key: Identifier.describe('The booking key.') }).meta({
  id: 'TimeBooking',
  section: '2.8',
  description: 'A clock-in or clock-out.',
});

/** One day of a person's time account (section 2.8). */
export const TimeBookingDay: Model<models.TimeBookingDay> = z
  .strictObject({
    date: LocalDate,
    targetTime: HoursMinutes.optional(),
    bookedTime: HoursMinutes.optional(),
    chargeableTime: HoursMinutes.optional(),
    bookings: z.array(TimeBooking).optional(),
  })
  .meta({ id: 'TimeBookingDay', section: '2.8', description: "One day of a person's time account." });
export type TimeBookingDay = models.TimeBookingDay;

/** The time bookings of a person, by day (section 2.8). */
export const TimeBookingPerson: Model<models.TimeBookingPerson> = z
  .strictObject({ personId: Identifier, days: z.array(TimeBookingDay) })
  .meta({ id: 'TimeBookingPerson', section: '2.8', description: 'The time bookings of a person, by day.' });
export type TimeBookingPerson = models.TimeBookingPerson;

const { date, ...fields } = TimeBookingDay.shape;

/** A day in a list of changes: as it is now, or deleted (section 4.4). */
export const TimeBookingDayDelta: Model<models.TimeBookingDayDelta> = z
  .strictObject({ date, ...nullable(fields), deleted })
  .meta({
    id: 'TimeBookingDayDelta',
    section: '4.4',
    description: 'A day that changed. Its fields are `null` when it was deleted.',
  });
export type TimeBookingDayDelta = models.TimeBookingDayDelta;

/** The time bookings of a person in a list of changes: only the days that changed (section 4.4). */
export const TimeBookingPersonDelta: Model<models.TimeBookingPersonDelta> = z
  .strictObject({ personId: Identifier, days: z.array(TimeBookingDayDelta) })
  .meta({ id: 'TimeBookingPersonDelta', section: '4.4', description: 'The days of a person that changed.' });
export type TimeBookingPersonDelta = models.TimeBookingPersonDelta;
