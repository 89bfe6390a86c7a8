import type { Period } from '../components/bars.ts';
import { includesDay } from '../model/calendar.ts';

/** An absence as the screen shows it. */
export interface ShownAbsence extends Period {
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

interface AbsenceRow {
  readonly person: AbsentPerson;
  readonly absence?: ShownAbsence;
}

/** All absences with their persons. Persons without absences have a row, too. */
export function absenceRows(people: readonly AbsentPerson[]): AbsenceRow[] {
  return people.flatMap((person): AbsenceRow[] =>
    person.absences.length === 0 ? [{ person }] : person.absences.map((absence) => ({ person, absence })),
  );
}

/** Returns those who are away on a day. */
export function awayOn(people: readonly AbsentPerson[], day: string): readonly AbsentPerson[] {
  return people.filter(({ absences }) => absences.some((absence) => includesDay(absence, day)));
}

/** The persons that are left by filters that need no index: with an absence, and away on one day. */
export function filterPeople(
  people: readonly AbsentPerson[],
  { only, day }: { readonly only?: boolean | undefined; readonly day?: string | undefined },
): readonly AbsentPerson[] {
  if (day !== undefined) return awayOn(people, day);
  return only ? people.filter(({ absences }) => absences.length > 0) : people;
}
