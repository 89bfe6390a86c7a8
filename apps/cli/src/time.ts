import type { CallOptions } from '@hr/client';
import type { Context } from './context.ts';
import { absenceKind, bookingKind } from './output/record-kinds.ts';
import { fromMirror } from './up-to-date-mirror.ts';

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** `hr time bookings`. */
export async function listBookings(context: Context, days: { from?: string; to?: string }): Promise<void> {
  const hr = await context.client();
  await context.write(bookingKind, hr.time.bookings(days, { signal: context.signal, timeout: false }));
}

/** `hr absences list`: the absences that overlap the days, of some persons or, from the local copy, of everyone. */
export async function listAbsences(
  context: Context,
  persons: readonly string[],
  { from, to, sync }: { from?: string; to?: string; sync: boolean },
): Promise<void> {
  const window = { from: from ?? FIRST_DAY, to: to ?? LAST_DAY };
  if (persons.length === 0) {
    const use = { sync, collections: ['persons', 'absences'] } as const;
    await context.write(
      absenceKind,
      fromMirror(context, use, (mirror) => mirror.absences(window)),
    );
    return;
  }
  const hr = await context.client();
  const absences = (id: string, call: CallOptions) => hr.time.absencesOverlapping(id, window, call);
  await context.write(absenceKind, context.bulkRows('Reading absences:', persons, absences));
}
