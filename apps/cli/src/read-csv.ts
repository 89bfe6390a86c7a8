import { CsvError, parse } from 'csv-parse/sync';
import { unusable } from './read-input.ts';

/** A CSV file. */
export interface CsvFile {
  readonly delimiter: string;
  /** The cells of the first line, as in the file. */
  readonly header: readonly string[];
  /** The cells of each further record, as in the file, by the line in which it ends. Empty records are left out. */
  readonly records: ReadonlyMap<number, readonly string[]>;
}

/**
 * Parses CSV. The delimiter is `;` if the first line has one, otherwise `,`.
 *
 * @param name - The name of the file, for errors.
 * @throws {CliError} If its quotes are wrong.
 */
export function readCsv(content: string, name: string, given?: string): CsvFile {
  const delimiter = given ?? (/^[^\r\n]*/.exec(content)?.[0].includes(';') ? ';' : ',');
  try {
    const [header, ...records] = parse(content, {
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
    if (!(error instanceof CsvError)) throw error;
    const line = String(error['lines']);
    throw unusable(name, `line ${line} has a quote that is not closed, or text beside quotes. Correct it.`);
  }
}
