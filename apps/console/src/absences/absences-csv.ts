import { csv } from '../backend/csv.ts';
import type { Locale } from '../shell/locale.tsx';
import type { AbsentPerson, ShownAbsence } from './absence-days.ts';
import { messages } from './messages.ts';

interface CsvRow {
  readonly person: AbsentPerson;
  readonly absence?: ShownAbsence;
}

/** Absences as CSV for a spreadsheet, with headings in the language of the person. Persons without absences have a row. */
export function absencesCsv(people: readonly AbsentPerson[], locale: Locale): string {
  const { csvColumns: name } = messages[locale];
  const rows = people.flatMap((person): CsvRow[] =>
    person.absences.length === 0 ? [{ person }] : person.absences.map((absence) => ({ person, absence })),
  );
  return csv<CsvRow>(
    [
      { name: name.personId, value: ({ person }) => person.id },
      { name: name.employeeNumber, value: ({ person }) => person.employeeNumber },
      { name: name.name, value: ({ person }) => person.name },
      { name: name.id, value: ({ absence }) => absence?.id },
      { name: name.startDate, value: ({ absence }) => absence?.startDate, isDate: true },
      { name: name.endDate, value: ({ absence }) => absence?.endDate, isDate: true },
      { name: name.amount, value: ({ absence }) => absence?.amount },
      { name: name.key, value: ({ absence }) => absence?.key },
    ],
    rows,
    locale,
  );
}
