import { extname } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import type { OutputFlags } from './write-records.ts';

/** What `--output` accepts. */
export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'parquet';

const byExtension: ReadonlyMap<string, OutputFormat> = new Map([
  ['.csv', 'csv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.parquet', 'parquet'],
]);

/**
 * The format that the flags choose: the one they name, the one of the extension of `--out`, otherwise a table on a
 * terminal and NDJSON elsewhere.
 *
 * @throws {CliError} If the flags contradict each other.
 */
export function outputFormat(flags: OutputFlags, isTerminal: boolean): OutputFormat {
  const { output, json, excel, out } = flags;
  if (json && output !== undefined && output !== 'json') {
    throw wrongUsage(`--json contradicts --output ${output}. Use one of them.`);
  }
  const format = json ? 'json' : (output ?? (out === undefined ? undefined : formatOfFile(out, excel !== undefined)));
  if (excel !== undefined && format !== undefined && format !== 'csv') {
    throw wrongUsage(`--excel writes CSV, not ${format}. Leave --excel out, or use --output csv.`);
  }
  if (format === 'parquet' && out === undefined) {
    throw wrongUsage('Parquet needs a file. Name it with --out, such as --out persons.parquet.');
  }
  if (format !== undefined) return format;
  if (excel !== undefined) return 'csv';
  return isTerminal ? 'table' : 'ndjson';
}

function formatOfFile(file: string, isCsv: boolean): OutputFormat {
  const format = byExtension.get(extname(file).toLowerCase()) ?? (isCsv ? 'csv' : undefined);
  if (format) return format;
  const known = [...byExtension.keys()].join(', ');
  throw wrongUsage(`--out: the extension of ${file} does not say the format. Use one of ${known}, or add --output.`);
}

function wrongUsage(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}
