import { isLocalDate } from '@hr/schemas';
import { cellOfText } from '@hr/schemas/rules';
import { textOf, type ColumnType } from './record-kind.ts';

/** The language of a spreadsheet, which decides on its decimal sign and the separator of its CSV. */
export type Spreadsheet = 'de' | 'en';

/** The language of the spreadsheet that a locale suggests: a decimal comma means the German form. */
export function localSpreadsheet(env: NodeJS.ProcessEnv): Spreadsheet {
  const [locale = ''] = (env['LC_ALL'] || env['LC_NUMERIC'] || env['LANG'] || '').split(/[.@]/);
  try {
    return new Intl.NumberFormat(locale.replaceAll('_', '-')).format(0.5).includes(',') ? 'de' : 'en';
  } catch {
    // Such as "C".
    return 'en';
  }
}

/**
 * A value as the text of a CSV cell that a spreadsheet opens as what it is: numbers and dates as such, and everything
 * else as text.
 */
export function spreadsheetText(type: ColumnType, value: unknown, spreadsheet: Spreadsheet): string | undefined {
  const text = textOf(value);
  if (text === undefined || typeof value === 'boolean') return text;
  if (typeof value === 'number' && (type === 'number' || type === 'integer')) {
    return spreadsheet === 'de' ? text.replace('.', ',') : text;
  }
  if (type === 'date' && isLocalDate(text)) return text;
  if (type === 'datetime' && localDateTime.test(text)) return text.replace('T', ' ');
  return cellOfText(text);
}

const localDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;
