import type { Operations } from '@hr/schemas';
import { cursorList } from '../changes/cursor-list.ts';
import { changesSince } from '../database/change-sets.ts';
import type { Handlers } from '../http/route.ts';
import { allAbsences, listAbsences } from './absences.ts';
import { timeBookings } from './time-bookings.ts';

/** Time bookings (section 4.4) and absences (section 4.6). */
export const timeHandlers = {
  listTimeBookings: (call) => cursorList(call, (since) => timeBookings(call.query, since)),
  async listAbsences({ database, config, path, query }) {
    const { changedSince } = query;
    const since = changedSince === undefined ? undefined : await changesSince(database, changedSince, config.timeZone);
    return listAbsences(database, path.personId, query, since);
  },
  listAllAbsences: (call) => cursorList(call, (since) => allAbsences(call.query, since)),
} satisfies Partial<Handlers<Operations>>;
