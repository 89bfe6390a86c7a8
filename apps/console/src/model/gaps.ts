import type { TimeBookingDay } from '@hr/client';

/** What an active person may lack. */
export const gaps = ['bankDetails', 'address', 'absenceEnd', 'bookings'] as const;
export type Gap = (typeof gaps)[number];

/** Whether a day has a target, but neither times nor bookings. On a day of an absence, that is no gap. */
export function lacksBookings({ targetTime, bookedTime, chargeableTime, bookings }: TimeBookingDay): boolean {
  return Boolean(targetTime) && !bookedTime && !chargeableTime && !bookings?.length;
}

/** An absence without an end is a gap after so many days. */
export const OPEN_END_DAYS = 30;
/** Bookings are expected on so many days before today. */
export const CLOSED_DAYS = 7;

export const gapNames: Readonly<Record<'en' | 'de', Readonly<Record<Gap, string>>>> = {
  en: {
    bankDetails: 'without bank details',
    address: 'without address',
    absenceEnd: `absent without an end for more than ${OPEN_END_DAYS} days`,
    bookings: `without bookings on a working day of the last ${CLOSED_DAYS} days`,
  },
  de: {
    bankDetails: 'ohne Bankverbindung',
    address: 'ohne Anschrift',
    absenceEnd: `ohne Ende abwesend seit mehr als ${OPEN_END_DAYS} Tagen`,
    bookings: `ohne Buchungen an einem Arbeitstag der letzten ${CLOSED_DAYS} Tage`,
  },
};
