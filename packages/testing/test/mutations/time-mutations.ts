import { asNull, asNumber, being, inGerman, made, renamed, withTime } from './member-changes.ts';
import { at, type Mutations } from './mutation.ts';

/** What can be wrong with time bookings and absences. */
export const timeMutations: Mutations = {
  'the days have their former name': at('*.days', renamed('timeAccountDays')),
  'the day is written in German': at('*.days.*.date', inGerman),
  'the target time is written with a colon': at('*.days.*.targetTime', being('07:25')),
  'the time of a booking has an offset': at(
    '*.days.*.bookings.*.time',
    made((time: string) => `${time}+01:00`),
  ),
  'the key of a booking is a number': at('*.days.*.bookings.*.key', asNumber),
  'the start of an absence has a time': at('*.startDate', withTime),
  'the end of an absence is null': at('*.endDate', asNull),
};
