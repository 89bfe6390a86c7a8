import type { Absence, Person } from '@hr/client';
import type { FieldSeen } from '@hr/client/mirror';
import { Person as PersonModel, toMinutes } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { maskBankDetails, type MaskedBankDetails } from '../model/masked-bank-details.ts';
import type { Console } from '../backend/console.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { personHistory, type PersonHistory } from './person-history.ts';
import { tabs } from './person-search.ts';

/** Minutes of a day. A number that is no hours and minutes is undefined. */
export interface DayTimes {
  readonly date: string;
  readonly target: number | undefined;
  readonly booked: number | undefined;
  readonly chargeable: number | undefined;
  /** Wall clock times `HH:MM` with their booking keys. */
  readonly bookings: readonly { readonly time: string; readonly key: string }[];
}

export interface PersonScreen {
  readonly name: string;
  /** The fields of the API, without the bank details. */
  readonly person: Omit<Person, 'bankDetails'>;
  readonly bankDetails: MaskedBankDetails | undefined;
  readonly manager: { readonly id: string; readonly name: string | undefined } | undefined;
  /** When each field was last seen, and in which system. */
  readonly seen: Readonly<Record<string, FieldSeen>>;
  /** The last days with data, the newest first, for the tab `time`. */
  readonly days?: readonly DayTimes[];
  /** As the service has them now, the newest first, for the tab `absences`. */
  readonly absences?: readonly Absence[];
  /** For the tab `history`. */
  readonly history?: PersonHistory;
}

const MAX_DAYS = 14;
const DAYS_BACK = 62;
const DAY_MS = 86_400_000;
const shownFields = new Set(Object.keys(PersonModel.shape).filter((field) => field !== 'bankDetails'));

const Query = z.strictObject({ tab: z.enum(tabs).default('profile') });

/** Adds what the screen of a person shows. Each tab reads only what it shows. */
export function addPersonRoutes(app: FastifyInstance, context: Console): void {
  const { cloud } = context;
  app.get<{ Params: { id: string } }>('/bff/people/:id', async ({ params, query }): Promise<PersonScreen> => {
    const { id } = params;
    const { tab } = parseInput(Query, query);
    const mirrored = cloud.mirror.person(id);
    if (mirrored === undefined) throw new Problem('not-found', 'There is no such person. They may have been deleted.');
    const { person, seen } = mirrored;
    return {
      name: personName(person),
      // What a newer service adds is not for people's eyes until somebody decides that.
      person: Object.fromEntries(Object.entries(person).filter(([field]) => shownFields.has(field))) as Person,
      bankDetails: person.bankDetails ? maskBankDetails(person.bankDetails) : undefined,
      manager: managerOf(context, person),
      seen,
      ...(tab === 'time' && { days: lastDays(context, id) }),
      ...(tab === 'absences' && { absences: await absencesOf(context, id) }),
      ...(tab === 'history' && { history: await personHistory(context, id) }),
    };
  });
}

function managerOf({ cloud }: Console, { managerId }: Person): PersonScreen['manager'] {
  if (!managerId) return undefined;
  const manager = cloud.mirror.person(managerId)?.person;
  return { id: managerId, name: manager && personName(manager) };
}

function lastDays({ cloud }: Console, personId: string): DayTimes[] {
  const from = new Date(Date.now() - DAYS_BACK * DAY_MS).toISOString().slice(0, 10);
  const days = [...cloud.mirror.bookings({ personId, from })].flatMap((person) => person.days);
  return days
    .slice(-MAX_DAYS)
    .toReversed()
    .map(({ date, targetTime, bookedTime, chargeableTime, bookings }) => ({
      date,
      target: minutesOf(targetTime),
      booked: minutesOf(bookedTime),
      chargeable: minutesOf(chargeableTime),
      bookings:
        bookings?.map(({ time, key }) => ({
          time: time.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length),
          key,
        })) ?? [],
    }));
}

function minutesOf(value: number | null | undefined): number | undefined {
  try {
    return value === null || value === undefined ? undefined : toMinutes(value);
  } catch {
    return undefined;
  }
}

async function absencesOf({ cloud }: Console, personId: string): Promise<Absence[]> {
  const absences = await cloud.hr.time.absences(personId);
  return absences.toSorted((one, other) => (one.startDate < other.startDate ? 1 : -1));
}
