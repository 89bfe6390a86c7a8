import { CliError, exitCodes } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { columnsOfFields, fieldPicker } from './fields.ts';
import { jsonArray, jsonLines } from './json.ts';
import { outputFormat, type OutputFormat } from './output-format.ts';
import type { RecordKind } from './record-kind.ts';
import { replaceFile } from './replace-file.ts';
import { localSpreadsheet, type Spreadsheet } from './spreadsheet-text.ts';
import { writeToStream } from './write-to-stream.ts';

/** The flags that say how records are written. */
export interface OutputFlags {
  readonly output?: OutputFormat;
  readonly json?: boolean;
  readonly fields?: readonly string[];
  /** The file to write instead of standard output. */
  readonly out?: string;
  /** The language of the spreadsheet that will open the CSV. `true` stands for the one of the locale. */
  readonly excel?: Spreadsheet | true;
}

/** Where records are written. */
export interface OutputTarget extends Pick<Terminal, 'stdout' | 'stderr' | 'env'> {
  readonly signal?: AbortSignal;
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
  const encoded = await encoder(format, target, flags, kind, isTerminal);
  let records = 0;
  async function* counted<Item>(items: Items<Item>): AsyncGenerator<Item, void, void> {
    for await (const item of items) {
      signal?.throwIfAborted();
      records++;
      yield item;
    }
  }
  const isJson = format === 'json' || format === 'ndjson';
  const items: Items<unknown> = isJson ? elements : rowsOf(kind, elements);
  const chunks = encoded(counted(items as Items<object>));
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

/** A function that encodes elements, if the format is JSON, or rows. What only some formats need is imported here. */
async function encoder(
  format: OutputFormat,
  { stdout, env }: OutputTarget,
  { fields, excel }: OutputFlags,
  kind: RecordKind<never>,
  isTerminal: boolean,
): Promise<(items: AsyncIterable<object>) => Chunks> {
  const names = fields?.map((name) => name.trim());
  if (format === 'json' || format === 'ndjson') {
    const pick = names && fieldPicker(kind, names);
    const write = format === 'json' ? jsonArray : jsonLines;
    return (elements) => inBlocks(write(elements, pick, isTerminal));
  }
  const shown = names ?? (format === 'table' ? kind.table : undefined);
  const columns = shown ? columnsOfFields(kind, shown) : kind.columns;
  if (format === 'parquet') {
    const { parquet } = await import('./parquet.ts');
    return (rows) => parquet(columns, rows);
  }
  if (format === 'csv') {
    const { csv } = await import('./csv.ts');
    const spreadsheet = excel === true ? localSpreadsheet(env) : excel;
    return (rows) => inBlocks(csv(columns, rows, spreadsheet, isTerminal));
  }
  const { table, tabSeparated } = await import('./table.ts');
  if (!isTerminal) return (rows) => inBlocks(tabSeparated(columns, rows));
  const terminal = { width: stdout.columns || DEFAULT_WIDTH, hasColor: !env['NO_COLOR'] && env['TERM'] !== 'dumb' };
  return (rows) => inBlocks(table(columns, rows, terminal));
}

const DEFAULT_WIDTH = 80;

async function* rowsOf<T>(kind: RecordKind<T>, elements: Items<T>): AsyncGenerator<object, void, void> {
  for await (const element of elements) {
    if (kind.rows) yield* kind.rows(element);
    else yield element as object;
  }
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
