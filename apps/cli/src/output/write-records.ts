import type { WriteStream } from 'node:tty';
import { CliError, exitCodes } from '../cli-error.ts';
import { columnsOfFields, fieldPicker } from './fields.ts';
import { jsonArray, jsonLines } from './json.ts';
import { outputFormat } from './output-format.ts';
import type { OutputFormat } from './output-format.ts';
import type { RecordKind } from './record-kind.ts';
import { writeToStream } from './write-to-stream.ts';

/** The flags that say how records are written. */
export interface OutputFlags {
  readonly output?: OutputFormat;
  readonly json?: boolean;
  readonly fields?: readonly string[];
  /** The file to write instead of standard output. */
  readonly out?: string;
  /** The language of the spreadsheet that will open the CSV; true stands for the one of the locale. */
  readonly excel?: 'de' | 'en' | true;
}

/** Where records are written. */
export interface OutputTarget {
  readonly stdout: OutputStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** A stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/**
 * Writes records in the format that the flags choose, to standard output or to a file. It holds only a part of the
 * records in memory. If the reader of standard output goes away, it stops and the command succeeds.
 *
 * @returns The number of written elements or rows.
 * @throws {CliError} If the flags are wrong, before the first record is asked for.
 */
export async function writeRecords<T>(
  target: OutputTarget,
  flags: OutputFlags,
  kind: RecordKind<T>,
  elements: AsyncIterable<T> | Iterable<T>,
): Promise<{ records: number; file?: string }> {
  const format = outputFormat(flags, target.stdout.isTTY === true && flags.out === undefined);
  let records = 0;
  async function* counted<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item, void, undefined> {
    for await (const item of items) {
      target.signal?.throwIfAborted();
      records++;
      yield item;
    }
  }
  const names = flags.fields?.map((name) => name.trim());
  if (format === 'json' || format === 'ndjson') {
    const pick = names && fieldPicker(kind, names);
    const chunks = (format === 'json' ? jsonArray : jsonLines)(counted(elements), pick);
    await writeToStream(target.stdout, chunks, target.signal);
    return { records };
  }
  columnsOfFields(kind, names ?? kind.table);
  throw new CliError(`-o ${format} is not available. Use -o json or -o ndjson.`, exitCodes.usage);
}
