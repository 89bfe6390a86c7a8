import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { CliError, exitCodes } from './cli-error.ts';

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
    throw unusable(
      name,
      `line ${String(error['lines'])} has a quote that is not closed, or text beside quotes. Correct it.`,
    );
  }
}

/**
 * The text of a file without a byte order mark.
 *
 * @param encoding - Of a file that is not UTF-8.
 * @throws {CliError} If it is not UTF-8, and no encoding is given.
 */
export function decoded(bytes: Uint8Array, name: string, encoding?: string): string {
  const label = isUtf8(bytes) ? 'utf-8' : encoding;
  if (label !== undefined) return new TextDecoder(label).decode(bytes);
  throw notUtf8(name);
}

export function notUtf8(name: string): CliError {
  return unusable(name, 'it is not UTF-8. Save it as UTF-8, in a spreadsheet as "CSV UTF-8".');
}

/** The error for a file that cannot be read as a whole. */
export function unusable(name: string, reason: string): CliError {
  return new CliError(`${name}: ${reason}`, exitCodes.usage);
}
