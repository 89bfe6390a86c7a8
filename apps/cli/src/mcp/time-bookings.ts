import type { Person, TimeBookingDay } from '@hr/client';
import { operations, toMinutes } from '@hr/schemas';
import { pageParameters } from './pages.ts';
import { filterParameters, selectedPersons, type PersonFilter } from './person-filter.ts';
import type { ToolCall } from './tool.ts';

const { from, to } = operations.listTimeBookings.query.shape;

/** The parameters of the tools for time bookings. */
export const bookingParameters = {
  personId: operations.listAbsences.pathParameters.shape.personId.optional(),
  from: from.unwrap(),
  to: to.unwrap(),
  ...filterParameters,
  ...pageParameters,
};

interface Days extends PersonFilter {
  readonly from: string;
  readonly to: string;
}

/** Yields the days with time data of the selected persons, by person and date. */
export async function* selectedDays(
  call: ToolCall,
  { from: first, to: last, ...filter }: Days,
): AsyncGenerator<{ person: Person; day: TimeBookingDay }, void, undefined> {
  for await (const person of selectedPersons(call, filter)) {
    for (const { days } of call.mirror.bookings({ personId: person.id, from: first, to: last })) {
      for (const day of days) yield { person, day };
    }
  }
}

/** The times of a day in minutes; `undefined` where there is none, and where it is not hours and minutes. */
export function minutesOf({ targetTime, bookedTime, chargeableTime }: TimeBookingDay): Times<number | undefined> {
  return { target: minutes(targetTime), booked: minutes(bookedTime), chargeable: minutes(chargeableTime) };
}

/** A value for each time of a day. */
export interface Times<Value> {
  target: Value;
  booked: Value;
  chargeable: Value;
}

function minutes(time: number | null | undefined): number | undefined {
  if (time === null || time === undefined) return undefined;
  try {
    return toMinutes(time);
  } catch {
    // Responses may break this bound.
    return undefined;
  }
}
