import { csv } from '@hr/text/write-csv';
import type { Dictionary } from '../model/labels.ts';
import type { Locale } from '../shell/locale.tsx';
import { absenceRows, type AbsentPerson } from './absence-days.ts';
import { messages } from './messages.ts';

/** Absences as CSV for a spreadsheet, with headings in the language of the person. Persons without absences have a row. */
export function absencesCsv(people: readonly AbsentPerson[], locale: Locale, { nameOf }: Dictionary): string {
  const { csvColumns: name } = messages[locale];
  return csv(
    [
      { name: name.personId, value: ({ person }) => person.id },
      { name: name.employeeNumber, value: ({ person }) => person.employeeNumber },
      { name: name.name, value: ({ person }) => person.name },
      { name: name.id, value: ({ absence }) => absence?.id },
      { name: name.startDate, value: ({ absence }) => absence?.startDate, type: 'date' },
      { name: name.endDate, value: ({ absence }) => absence?.endDate, type: 'date' },
      { name: name.amount, value: ({ absence }) => absence?.amount },
      { name: name.key, value: ({ absence }) => absence?.key },
      {
        name: name.keyName,
        value: ({ absence }) => (absence?.key && nameOf('bookingKey', absence.key, '')) || undefined,
      },
    ],
    absenceRows(people),
    locale,
  );
}
