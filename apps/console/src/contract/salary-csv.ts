import { stringify } from 'csv-stringify/sync';
import type { SalaryTable } from './salary-table.ts';

type Locale = 'en' | 'de';

const headers = {
  en: ['Month', 'Total', 'Base'],
  de: ['Abrechnungsmonat', 'Gesamt', 'Grundgehalt'],
} as const;

/** A salary table as CSV that a spreadsheet of the language opens. A month without an entry has empty cells. */
export function salaryCsv({ months, components }: SalaryTable, locale: Locale): string {
  const number = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  const text = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : number.format(value);
  const rows = months.map(({ month, total, base, values }) => [month, text(total), text(base), ...values.map(text)]);
  return stringify([[...headers[locale], ...components.map(withoutFormula)], ...rows], {
    bom: true,
    delimiter: locale === 'de' ? ';' : ',',
    record_delimiter: '\r\n',
  });
}

/** Keeps a spreadsheet from running a text as a formula. Some ignore leading spaces, and read full-width forms. */
function withoutFormula(text: string): string {
  const [first = ''] = text.replace(/^[\s\p{C}]+/u, '').normalize('NFKC');
  return /^[\t\r]/.test(text) || (first !== '' && '=+-@'.includes(first)) ? `'${text}` : text;
}
