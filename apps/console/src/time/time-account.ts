import type { Absence, TimeBookingDay } from '@hr/client';
import { toMinutes } from '@hr/schemas';
import { includesDay, weeksOf } from '../model/calendar.ts';

/** A booking by the wall clock. The service states no time zone, and what a key means only the company knows. */
export interface Booking {
  /** `HH:MM`, with seconds if there are any. */
  readonly time: string;
  /** Minutes since midnight. */
  readonly minute: number;
  readonly key: string;
  /** The date, if it is not that of the day. */
  readonly date?: string | undefined;
}

/** Times in whole minutes. The service may state none. */
export interface Times {
  readonly target?: number | undefined;
  readonly booked?: number | undefined;
  readonly chargeable?: number | undefined;
  /** What counts, without the target: the chargeable time, as it includes absences, or else the booked time. */
  readonly difference?: number | undefined;
}

export interface TimeDay extends Times {
  readonly date: string;
  readonly bookings: readonly Booking[];
  /** Times that are no hours and minutes, as the service states them. */
  readonly invalid: readonly number[];
}

interface TimeWeek {
  /** By ISO 8601. */
  readonly number: number;
  /** Monday to Sunday; null for days of other months. */
  readonly dates: readonly (string | null)[];
  readonly sums: Times;
}

/** The time account of a person in a month. */
export interface TimeAccount {
  /** Days that the service states. */
  readonly days: readonly TimeDay[];
  readonly weeks: readonly TimeWeek[];
  readonly sums: Times;
  /** The keys of absences by date; an absence may have none. */
  readonly absences: Readonly<Record<string, readonly (string | undefined)[]>>;
}

const MINUTES_AN_HOUR = 60;

/**
 * Converts the days of a month and adds them up, in minutes.
 *
 * @param absences - Of the same person, in any month.
 */
export function timeAccount(
  month: string,
  stated: readonly TimeBookingDay[],
  absences: Iterable<Absence> = [],
): TimeAccount {
  const days = stated.map(timeDay);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const weeks = weeksOf(month).map(({ number, days: dates }) => ({
    number,
    dates: dates.map((date) => date ?? null),
    sums: sumsOf(dates.flatMap((date) => byDate.get(date ?? '') ?? [])),
  }));
  return { days, weeks, sums: sumsOf(days), absences: keysByDate(month, [...absences]) };
}

function keysByDate(month: string, absences: readonly Absence[]): TimeAccount['absences'] {
  const keys: Record<string, (string | undefined)[]> = {};
  for (const date of weeksOf(month).flatMap(({ days }) => days)) {
    if (date === undefined) continue;
    const there = absences.filter((absence) => includesDay(absence, date));
    if (there.length > 0) keys[date] = there.map(({ key }) => key ?? undefined);
  }
  return keys;
}

export function timeDay({ date, targetTime, bookedTime, chargeableTime, bookings }: TimeBookingDay): TimeDay {
  const invalid: number[] = [];
  const minutes = (value: number | null | undefined): number | undefined => {
    if (value === null || value === undefined) return undefined;
    try {
      return toMinutes(value);
    } catch {
      invalid.push(value);
      return undefined;
    }
  };
  const [target, booked, chargeable] = [minutes(targetTime), minutes(bookedTime), minutes(chargeableTime)];
  return {
    date,
    ...withDifference({ target, booked, chargeable }, chargeable ?? booked),
    bookings: (bookings ?? []).map(({ time, key }) => bookingOf(date, time, key)),
    invalid,
  };
}

function bookingOf(day: string, dateTime: string, key: string): Booking {
  const [date = '', clock = ''] = dateTime.split('T');
  const [hours = '', minutes = '', seconds = ''] = clock.split(':');
  return {
    time: [hours, minutes, ...(Number(seconds) === 0 ? [] : [seconds])].join(':'),
    minute: Number(hours) * MINUTES_AN_HOUR + Number(minutes),
    key,
    ...(date !== day && { date }),
  };
}

/** Adds up what is stated. A sum of nothing is not zero. */
function sumsOf(days: readonly Times[]): Times {
  const sum = (timeOf: (day: Times) => number | undefined): number | undefined => {
    const values = days.flatMap((day) => timeOf(day) ?? []);
    return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0);
  };
  const [target, booked, chargeable] = [
    sum((day) => day.target),
    sum((day) => day.booked),
    sum((day) => day.chargeable),
  ];
  return withDifference(
    { target, booked, chargeable },
    sum((day) => day.chargeable ?? day.booked),
  );
}

/** The difference of sums goes by the sums, so that they agree, also if a day has a target and no other time. */
function withDifference(times: Omit<Times, 'difference'>, counted: number | undefined): Times {
  const { target } = times;
  return { ...times, difference: counted === undefined || target === undefined ? undefined : counted - target };
}
