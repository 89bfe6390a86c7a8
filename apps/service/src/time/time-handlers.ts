import type { Operations } from '@hr/schemas';
import { sinceOf } from '../database/change-sets.ts';
import type { Handlers } from '../http/route.ts';
import { listAbsences } from './absences.ts';
import { timeBookings } from './time-bookings.ts';

/** Time bookings (section 4.4) and absences (section 4.6). */
export const timeHandlers = {
  listTimeBookings: async ({ database, config, query }) =>
    database.list(timeBookings(query, await sinceOf(query, database, config))),
  listAbsences: async ({ database, config, path, query }) =>
    listAbsences(database, path.personId, query, await sinceOf(query, database, config)),
} satisfies Partial<Handlers<Operations>>;
