import { csv, type CsvColumn } from '@hr/text/write-csv';
import type { Dictionary } from '../model/labels.ts';
import type { Locale } from '../shell/locale.tsx';
import { statuses } from '../model/statuses.ts';
import { messages } from './messages.ts';
import type { PersonRow } from './person-row.ts';

/** The directory as CSV for a spreadsheet, with headings in the language of the person. */
export function peopleCsv(rows: readonly PersonRow[], locale: Locale, { nameOf }: Dictionary): string {
  const { csvColumns: name } = messages[locale];
  const columns: CsvColumn<PersonRow>[] = [
    { name: name.id, value: ([id]) => id },
    { name: name.lastName, value: ([, lastName]) => lastName },
    { name: name.firstName, value: ([, , firstName]) => firstName },
    { name: name.employeeNumber, value: ([, , , number]) => number },
    { name: name.jobTitle, value: ([, , , , title]) => title },
    { name: name.placeOfWork, value: ([, , , , , place]) => place },
    { name: name.email, value: ([, , , , , , email]) => email },
    { name: name.groups, value: ([, , , , , , , groups]) => groups.join(', ') },
    { name: name.groupNames, value: ([, , , , , , , groups]) => groups.map((id) => nameOf('group', id)).join(', ') },
    { name: name.status, value: ([, , , , , , , , status]) => statuses[locale][status] ?? status },
    { name: name.entryDate, value: (row) => row[9], type: 'date' },
    { name: name.exitDate, value: (row) => row[10], type: 'date' },
    { name: name.contracts, value: (row) => row[11].join(', ') },
  ];
  // A row has `''` for what is missing, which a spreadsheet shows as an empty cell.
  return csv(
    columns.map((column) => ({ ...column, value: (row: PersonRow) => column.value(row) || undefined })),
    rows,
    locale,
  );
}
