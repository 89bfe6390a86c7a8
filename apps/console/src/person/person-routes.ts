import type { Person } from '@hr/client';
import type { Mirror } from '@hr/client/mirror';
import { Person as PersonModel } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addDays, today } from '../model/calendar.ts';
import { maskBankDetails } from '../model/masked-bank-details.ts';
import type { Console } from '../backend/console.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { timeDay, type TimeDay } from '../time/time-routes.ts';
import { personHistory } from './person-history.ts';
import { tabs, type Tab } from './person-search.ts';

export type PersonScreen = Awaited<ReturnType<typeof personScreen>>;

const MAX_DAYS = 14;
const DAYS_BACK = 62;
const shownFields = new Set(Object.keys(PersonModel.shape).filter((field) => field !== 'bankDetails'));

const Query = z.strictObject({ tab: z.enum(tabs).default('profile') });

/** Adds what the screen of a person shows. */
export function addPersonRoutes(app: FastifyInstance, context: Console): void {
  app.get<{ Params: { id: string } }>('/bff/people/:id', ({ params, query }) =>
    personScreen(context, params.id, parseInput(Query, query).tab),
  );
}

/** Each tab reads only what it shows. */
async function personScreen(context: Console, id: string, tab: Tab) {
  const { mirror, hr } = context.cloud;
  const mirrored = mirror.person(id);
  if (mirrored === undefined) throw new Problem('not-found', 'There is no such person. They may have been deleted.');
  const { person, seen } = mirrored;
  const { bankDetails, managerId } = person;
  const manager = managerId ? mirror.person(managerId)?.person : undefined;
  return {
    name: personName(person),
    // What a newer service adds is not for people's eyes until somebody decides that.
    person: Object.fromEntries(Object.entries(person).filter(([field]) => shownFields.has(field))) as Omit<
      Person,
      'bankDetails'
    >,
    bankDetails: bankDetails ? maskBankDetails(bankDetails) : undefined,
    manager: managerId ? { id: managerId, name: manager && personName(manager) } : undefined,
    /** When each field was last seen, and in which system. */
    seen,
    days: tab === 'time' ? lastDays(mirror, id) : undefined,
    /** As the service has them now, the newest first. */
    absences:
      tab === 'absences'
        ? (await hr.time.absences(id)).toSorted((one, other) => (one.startDate < other.startDate ? 1 : -1))
        : undefined,
    history: tab === 'history' ? await personHistory(context, id) : undefined,
  };
}

/** The last days with data, the newest first. */
function lastDays(mirror: Mirror, personId: string): TimeDay[] {
  const from = addDays(today(), -DAYS_BACK);
  const days = [...mirror.bookings({ personId, from })].flatMap((person) => person.days);
  return days.slice(-MAX_DAYS).toReversed().map(timeDay);
}
