import { stringify } from 'csv-stringify/sync';
import type { Locale } from '../web/locale.tsx';
import type { AbsentPerson } from './absence-days.ts';

const dialects = {
  en: { delimiter: ',', decimalSign: '.' },
  de: { delimiter: ';', decimalSign: ',' },
} as const;
const headers = {
  en: ['Person ID', 'Employee number', 'Name', 'Absence ID', 'First day', 'Last day', 'Amount', 'Booking key'],
  de: ['Personen-ID', 'Personalnummer', 'Name', 'Abwesenheits-ID', 'Von', 'Bis', 'Menge', 'Buchungsschlüssel'],
} as const;

/** Absences as spreadsheets of a language read them. Persons without absences have a line, too. */
export function absencesCsv(people: readonly AbsentPerson[], locale: Locale): string {
  const { delimiter, decimalSign } = dialects[locale];
  const rows = people.flatMap(({ id, employeeNumber, name, absences }) => {
    const person = [id, employeeNumber, name].map(literal);
    if (absences.length === 0) return [person.concat(Array.from({ length: 5 }, () => ''))];
    return absences.map((absence) => [
      ...person,
      literal(absence.id),
      absence.startDate,
      absence.endDate,
      absence.amount === undefined ? '' : String(absence.amount).replace('.', decimalSign),
      literal(absence.key),
    ]);
  });
  return stringify([headers[locale], ...rows], { bom: true, delimiter, record_delimiter: '\r\n' });
}

/** Text that a spreadsheet does not run as a formula: it would begin with one of these, after spaces that it ignores. */
function literal(text = ''): string {
  const [first = ''] = text.normalize('NFKC').replace(/^[\s\p{C}]+/u, '');
  return /^[\t\r]/.test(text) || '=+-@'.includes(first || ' ') ? `'${text}` : text;
}
