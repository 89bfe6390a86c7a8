import { HoursMinutes, LocalDateTime, toMinutes } from '@hr/schemas';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import type { Column, ColumnType, RecordKind } from './record-kind.ts';

/** A kind of records. A terminal shows all of the columns, unless `more` names others. */
export function kindOf<T extends object>(
  name: string,
  columns: readonly Column[],
  more: Partial<RecordKind<T>> = {},
): RecordKind<T> {
  return { name, columns, table: columns.map((column) => column.name), ...more };
}

/**
 * The columns of a model: one for each field, in the order of the model. The fields of a nested object get columns such
 * as `address.city`; an array is one column. Hours and minutes become minutes, because 1.30 (90 minutes) looks like a
 * number that can be summed: `targetTime` becomes `targetMinutes`.
 */
export function columnsOf(model: z.ZodObject, path: readonly string[] = []): Column[] {
  return Object.entries(model.shape).flatMap(([name, field]) => columnsOfField(field, [...path, name]));
}

/** Columns that no model has. */
export function columnsNamed(type: ColumnType, ...names: readonly string[]): Column[] {
  return names.map((name) => ({ name, type, value: (row) => valueAt(row, [name]) }));
}

function columnsOfField(field: z.core.$ZodType, path: readonly string[]): Column[] {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return columnsOfField(field.unwrap(), path);
  if (field instanceof z.ZodObject) return columnsOf(field, path);
  const name = path.join('.');
  if (field === HoursMinutes) {
    const value = (row: object) => minutes(valueAt(row, path), name);
    return [{ name: name.replace(/Time$/, 'Minutes'), field: name, type: 'integer', value }];
  }
  const element = field instanceof z.ZodArray ? field.element : undefined;
  const items = element instanceof z.ZodObject && { items: columnsOf(element, path) };
  return [{ name, type: typeOf(field), value: (row) => valueAt(row, path), ...items }];
}

function typeOf(field: z.core.$ZodType): ColumnType {
  if (field instanceof z.ZodArray) return 'json';
  if (field === LocalDateTime) return 'datetime';
  if (field instanceof z.ZodBoolean || field instanceof z.ZodLiteral) return 'boolean';
  if (field instanceof z.ZodNumber) return field.format === 'safeint' ? 'integer' : 'number';
  return (field as z.ZodType).meta()?.['format'] === 'date' ? 'date' : 'string';
}

function valueAt(row: object, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return value;
}

function minutes(value: unknown, name: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  try {
    return toMinutes(value as number);
  } catch {
    throw new CliError(`${name}: a value is not hours and minutes, such as 1.30. Use -o ndjson to see it.`);
  }
}
