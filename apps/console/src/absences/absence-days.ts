/** An absence as the screen shows it. Without an end date it goes on. */
export interface ShownAbsence {
  readonly id: string;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  /** Its unit is not stated. */
  readonly amount?: number | undefined;
  /** The booking key. It says nothing about the kind of absence. */
  readonly key?: string | undefined;
}

/** A person with the absences of a time range, ordered by their start. */
export interface AbsentPerson {
  readonly id: string;
  readonly name: string;
  readonly employeeNumber?: string | undefined;
  readonly absences: readonly ShownAbsence[];
}

const DAY_MS = 86_400_000;

/** A date as a number of days, so that days can be counted. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY_MS;
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

export function isWeekend(day: number): boolean {
  const weekday = new Date(day * DAY_MS).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** Whether an absence includes a date. */
function includesDate({ startDate = '', endDate }: ShownAbsence, date: string): boolean {
  return startDate <= date && (endDate === undefined || endDate >= date);
}

/** The persons that are left by filters that need no index: with an absence, and away on one day. */
export function filterPeople(
  people: readonly AbsentPerson[],
  { onlyAbsent, day }: { readonly onlyAbsent: boolean; readonly day: string | undefined },
): readonly AbsentPerson[] {
  return people.filter(({ absences }) =>
    day === undefined ? !onlyAbsent || absences.length > 0 : absences.some((absence) => includesDate(absence, day)),
  );
}
