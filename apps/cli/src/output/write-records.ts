import { once } from 'node:events';
import { extname } from 'node:path';
import type { Label } from '@hr/text/labels';
import { printableJson } from '@hr/text/printable';
import type { Spreadsheet } from '@hr/text/write-csv';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { columnsOfFields, fieldPicker, rowsOf, type Selected } from './fields.ts';
import type { RecordKind } from './record-kind.ts';
import { replaceFile } from './replace-file.ts';

/** What `--output` accepts. */
type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'parquet';

/** The flags that say how records are written. */
export interface OutputFlags {
  readonly output?: OutputFormat;
  readonly json?: boolean;
  readonly fields?: readonly string[];
  /** The list of which each element is a row, such as `employments`. */
  readonly rows?: string;
  /** The file to write instead of standard output. */
  readonly out?: string;
  /** The language of the spreadsheet that will open the CSV. `true` stands for the one of the locale. */
  readonly excel?: Spreadsheet | true;
}

/** Where records are written. */
export interface OutputTarget extends Pick<Terminal, 'stdout' | 'stderr' | 'env'> {
  readonly signal?: AbortSignal;
  /** For a column with labels beside each column of keys. */
  readonly labels?: readonly Label[] | undefined;
}

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;
type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * Writes records in the format that the flags choose, to standard output or to a file. It holds only a part of the
 * records in memory. If the reader of standard output goes away, it stops and the command succeeds.
 *
 * @returns The number of written elements (JSON) or rows, and the file if there is one.
 * @throws {CliError} If the flags are wrong, before it asks for the first element, or if the signal aborts.
 */
export async function writeRecords<T>(
  target: OutputTarget,
  flags: OutputFlags,
  kind: RecordKind<T>,
  elements: Items<T>,
): Promise<{ records: number; file?: string }> {
  const { stdout, stderr, signal } = target;
  const { out: file } = flags;
  const isTerminal = stdout.isTTY === true && file === undefined;
  const format = outputFormat(flags, isTerminal);
  const isJson = format === 'json' || format === 'ndjson';
  if (isJson && target.labels) throw wrongUsage('--labels adds columns, and JSON has none. Add --output csv.');
  const fields = flags.fields?.map((name) => name.trim()) ?? [];
  const hasElements = isJson && flags.rows === undefined;
  const ofElements = { kind: { ...kind, rows: undefined }, names: fields };
  const selected = hasElements ? ofElements : rowsOf(kind, fields, flags.rows);
  const encoded = await encoder(format, target, flags, selected, isTerminal);
  let records = 0;
  async function* counted(): AsyncGenerator<object, void, void> {
    for await (const element of elements) {
      for (const row of selected.kind.rows?.(element) ?? [element as object]) {
        signal?.throwIfAborted();
        records++;
        yield row;
      }
    }
  }
  const chunks = encoded(counted());
  try {
    if (file === undefined) await writeToStream(stdout, chunks, signal);
    else await replaceFile(file, chunks);
  } catch (error) {
    if (signal?.aborted) throw new CliError('Interrupted.', exitCodes.interrupted);
    throw error;
  }
  if (records === 0 && format === 'table') stderr.write(`No ${kind.name}.\n`);
  return file === undefined ? { records } : { records, file };
}

/** Writes chunks as fast as the reader of a stream takes them. If it goes away, as `head` does, the rest is not requested. */
async function writeToStream(stream: Terminal['stdout'], chunks: Chunks, signal?: AbortSignal): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!stream.writable) return;
      if (!stream.write(chunk)) await once(stream, 'drain', { signal });
    }
  } catch (error) {
    if (!/^(?:EPIPE|ECONNRESET)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** A function that encodes elements, if the format is JSON, or rows. What only some formats need is imported here. */
async function encoder(
  format: OutputFormat,
  { stdout, env, labels }: OutputTarget,
  { excel }: OutputFlags,
  { kind, names }: Selected<never>,
  isTerminal: boolean,
): Promise<(items: AsyncIterable<object>) => Chunks> {
  if (format === 'json' || format === 'ndjson') {
    const pick = names.length > 0 ? fieldPicker(kind, names) : undefined;
    return (elements) => inBlocks(jsonTexts(elements, pick, format === 'json', isTerminal));
  }
  const shown = names.length === 0 && format === 'table' ? kind.table : names;
  const chosen = shown.length > 0 ? columnsOfFields(kind, shown) : kind.columns;
  const columns = labels ? (await import('./labels.ts')).withLabels(chosen, labels, excel, env) : chosen;
  if (format === 'parquet') {
    const { parquet } = await import('./parquet.ts');
    return (rows) => parquet(columns, rows);
  }
  if (format === 'csv') {
    const { csv, localSpreadsheet } = await import('./csv.ts');
    const spreadsheet = excel === true ? localSpreadsheet(env) : excel;
    return (rows) => inBlocks(csv(columns, rows, spreadsheet, isTerminal));
  }
  const { table, tabSeparated } = await import('./table.ts');
  if (!isTerminal) return (rows) => inBlocks(tabSeparated(columns, rows));
  const terminal = { width: stdout.columns || DEFAULT_WIDTH, hasColor: !env['NO_COLOR'] && env['TERM'] !== 'dumb' };
  return (rows) => inBlocks(table(columns, rows, terminal));
}

const DEFAULT_WIDTH = 80;

/** Elements in a line of their own: as one array, `[]` without elements, or without anything between them (NDJSON). */
async function* jsonTexts(
  elements: AsyncIterable<object>,
  pick: ((element: object) => object) | undefined,
  isArray: boolean,
  isTerminal: boolean,
): AsyncIterable<string> {
  let separator = '[';
  for await (const element of elements) {
    const text = JSON.stringify(pick ? pick(element) : element);
    const line = isTerminal ? printableJson(text) : text;
    yield isArray ? `${separator}\n${line}` : `${line}\n`;
    separator = ',';
  }
  if (isArray) yield separator === '[' ? '[]\n' : '\n]\n';
}

const BLOCK_LENGTH = 65_536;

/** Joins short texts, because each write costs a system call. */
async function* inBlocks(texts: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let block = '';
  for await (const text of texts) {
    block += text;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

const fileFormats: readonly OutputFormat[] = ['csv', 'json', 'ndjson', 'parquet'];

/**
 * The format that the flags choose: the one they name, the one of the extension of `--out`, otherwise a table on a
 * terminal and NDJSON elsewhere.
 *
 * @throws {CliError} If the flags contradict each other.
 */
function outputFormat(flags: OutputFlags, isTerminal: boolean): OutputFormat {
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
  const extension = extname(file).toLowerCase();
  const format = fileFormats.find((name) => extension === `.${name}`) ?? (isCsv ? 'csv' : undefined);
  if (format) return format;
  const known = fileFormats.map((name) => `.${name}`).join(', ');
  throw wrongUsage(`--out: the extension of ${file} does not say the format. Use one of ${known}, or add --output.`);
}

function wrongUsage(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}
