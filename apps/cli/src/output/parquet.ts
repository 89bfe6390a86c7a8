import { isLocalDate } from '@hr/schemas';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { textOf } from '@hr/text/text-of';
import { CliError } from '../cli-error.ts';
import { inBatches } from './in-batches.ts';
import type { Column, ColumnType } from './record-kind.ts';

/** More rows a group compress better and need more memory: writing a group of persons takes about 100 MB. */
const ROWS_A_GROUP = 5000;

/** A Parquet file. Every column may lack values. A chunk is valid until you request the next one. */
export async function* parquet(columns: readonly Column[], rows: AsyncIterable<object>): AsyncIterable<Uint8Array> {
  const writer = new ByteWriter();
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }): SchemaElement => ({ ...types[type], name, repetition_type: 'OPTIONAL' })),
  ];
  const file = new ParquetWriter({ writer, schema, createdBy: 'hr' });
  const written = () => {
    const bytes = writer.getBytes();
    writer.index = 0;
    return bytes;
  };
  let firstRow = 1;
  for await (const group of inBatches(rows, ROWS_A_GROUP)) {
    const columnData = columns.map((column) => ({
      name: column.name,
      data: group.map((row, index) => stored(column, row, firstRow + index)),
      // Those of JSON would be whole values in the footer.
      statistics: column.type !== 'json',
    }));
    await file.write({ columnData, rowGroupSize: ROWS_A_GROUP });
    firstRow += group.length;
    yield written();
  }
  if (firstRow === 1) file.row_groups.push(emptyGroup(schema));
  await file.finish();
  yield written();
}

/** A group without rows, because the writer gives a list of no groups a wrong type, which strict readers reject. */
function emptyGroup([, ...columns]: readonly SchemaElement[]): ParquetWriter['row_groups'][number] {
  return {
    num_rows: 0n,
    total_byte_size: 0n,
    columns: columns.map(({ name, type = 'BYTE_ARRAY' }) => ({
      file_offset: 0n,
      meta_data: {
        type,
        path_in_schema: [name],
        encodings: ['PLAIN'],
        codec: 'UNCOMPRESSED',
        num_values: 0n,
        total_uncompressed_size: 0n,
        total_compressed_size: 0n,
        data_page_offset: MAGIC_LENGTH,
      },
    })),
  };
}

/** The length of `PAR1`, with which a file starts. */
const MAGIC_LENGTH = 4n;

const types: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  datetime: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  boolean: { type: 'BOOLEAN' },
};

/** A value as its column stores it. */
function stored(column: Column, row: object, rowNumber: number): unknown {
  const { name, type } = column;
  const value = column.value(row);
  if (value === null || value === undefined) return null;
  const converted = conversions[type](value);
  if (converted !== undefined) return converted;
  const place = `Row ${rowNumber}, ${name}`;
  throw new CliError(`${place}: not a valid ${type}, so Parquet cannot hold it. Use CSV, or leave it out by --fields.`);
}

const MILLISECONDS_A_DAY = 86_400_000;

/** `undefined` for values that the type cannot hold: responses may break the bounds of the API. */
const conversions: Readonly<Record<ColumnType, (value: unknown) => unknown>> = {
  string: textOf,
  json: (value) => value,
  date: (value) =>
    typeof value === 'string' && isLocalDate(value) ? Date.parse(value) / MILLISECONDS_A_DAY : undefined,
  datetime: (value) => (typeof value === 'string' ? microseconds(value) : undefined),
  number: (value) => (typeof value === 'number' ? value : undefined),
  integer: (value) => ((Math.trunc(value as number) | 0) === value ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

const dateTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?Z?$/;

function microseconds(text: string): bigint | undefined {
  const [, date = '', time, fraction = ''] = dateTime.exec(text) ?? [];
  const milliseconds = isLocalDate(date) ? Date.parse(`${date}T${time}Z`) : Number.NaN;
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}
