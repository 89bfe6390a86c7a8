import { CsvError, parse } from 'csv-parse/sync';

/** A CSV file, or rows that were copied from a spreadsheet. */
export interface CsvFile {
  readonly delimiter: string;
  /** The cells of the first line, as in the file. */
  readonly header: readonly string[];
  /** The cells of each further record, as in the file, by the line in which it ends. Empty records are left out. */
  readonly records: ReadonlyMap<number, readonly string[]>;
}

/** CSV with wrong quotes. The message is the rest of a sentence, and contains no value. */
export class CsvQuotesError extends Error {
  override readonly name = 'CsvQuotesError';
  readonly line: number;

  constructor(line: number) {
    super('has a quote that is not closed, or text beside quotes');
    this.line = line;
  }
}

/**
 * Parses CSV. The delimiter is a tab or `;` if the first line has one, otherwise `,`.
 *
 * @throws {CsvQuotesError}
 */
export function readCsv(content: string, given?: string): CsvFile {
  const [firstLine = ''] = content.trimStart().split(/[\r\n]/, 1);
  const delimiter = given ?? ['\t', ';'].find((sign) => firstLine.includes(sign)) ?? ',';
  try {
    const [header, ...records] = parse(content, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
    return {
      delimiter,
      header: header?.record ?? [],
      records: new Map(records.map(({ record, info }) => [info.lines, record])),
    };
  } catch (error) {
    // Its message quotes the file.
    if (error instanceof CsvError) throw new CsvQuotesError(Number(error['lines']));
    throw error;
  }
}
