import { closestMatch } from 'leven';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Column, RecordKind } from './record-kind.ts';

/** What is written of records, and the fields of it if they are chosen. */
export interface Selected<T> {
  readonly kind: RecordKind<T>;
  readonly names: readonly string[];
}

/**
 * The rows of records: those of the list that `--rows` names, or of which `--fields` names fields, such as
 * `employments.start`. Only in the latter case, a record with an empty list has a row.
 *
 * @throws {CliError} If there is no such list, or if there are fields of two.
 */
export function rowsOf<T>(all: RecordKind<T>, names: readonly string[], given?: string): Selected<T> {
  const kind = { ...all, fields: undefined };
  const lists = kind.columns.flatMap(({ name, items }) => (items ? [name] : []));
  const offered = [...(kind.rowName ? [kind.rowName] : []), ...lists];
  if (given !== undefined && !offered.includes(given)) {
    const remedy = offered.length > 0 ? `Use ${offered.join(' or ')}.` : 'Leave it out.';
    throw new CliError(`--rows: ${kind.name} have no such list. ${remedy}`, exitCodes.usage);
  }
  const named = lists.filter((name) => names.some((field) => field.startsWith(`${name}.`)));
  const list = given ?? named[0];
  const other = named.find((name) => name !== list);
  if (other !== undefined) {
    throw new CliError(`--fields: a row of ${list} has no fields of ${other}. Leave them out.`, exitCodes.usage);
  }
  if (list === undefined || list === kind.rowName) return { kind, names };
  const ofList: RecordKind<T> = {
    ...kind,
    columns: kind.columns.flatMap((column) => (column.name === list && column.items) || [column]),
    *rows(element) {
      for (const row of kind.rows?.(element) ?? [element as object]) {
        const elements = (row as Record<string, readonly object[] | null | undefined>)[list] ?? [];
        for (const one of elements) yield { ...row, [list]: one };
        if (elements.length === 0 && given === undefined) yield { ...row, [list]: undefined };
      }
    },
  };
  return { kind: ofList, names: names.length > 0 ? names : [...(kind.identity ?? []), list] };
}

/**
 * The columns that `--fields` names, in that order. The name of an object, such as `address`, stands for its columns.
 *
 * @throws {CliError} If there is no such column.
 */
export function columnsOfFields({ columns }: Pick<RecordKind<never>, 'columns'>, names: readonly string[]): Column[] {
  const known = withItems(columns).map(({ name }) => name);
  const chosen = names.flatMap((name) => {
    const matching = columns.filter((column) => column.name === name || column.name.startsWith(`${name}.`));
    if (matching.length === 0) throw unknownField(name, known);
    return matching;
  });
  return [...new Set(chosen)];
}

/**
 * A function that restricts an object to the fields that `--fields` names, in that order. A name such as `address.city`
 * keeps the object around the field.
 *
 * @throws {CliError} If there is no such field.
 */
export function fieldPicker(kind: RecordKind<never>, names: readonly string[]): (element: unknown) => object {
  const known = kind.fields ?? namesWithParents(withItems(kind.columns));
  for (const name of names) {
    if (known.includes(name)) continue;
    if (!kind.columns.some((column) => column.name === name)) throw unknownField(name, known);
    const message = `--fields: "${name}" is a column of tables, CSV and Parquet. JSON has ${known.join(', ')}.`;
    throw new CliError(`${message} Name one of those, or add --output csv.`, exitCodes.usage);
  }
  const paths = names.map((name) => name.split('.'));
  return (element) => picked(element, paths) as object;
}

/** A copy of a value with the fields at these paths, and of each element if it is a list. */
function picked(value: unknown, paths: readonly (readonly string[])[]): unknown {
  const isWhole = typeof value !== 'object' || value === null || paths.some((path) => path.length === 0);
  if (isWhole) return value;
  if (Array.isArray(value)) return value.map((element) => picked(element, paths));
  const copies = Array.from(
    Map.groupBy(paths, ([name = '']) => name),
    ([name, inside]) => {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      return [
        name,
        picked(
          field,
          inside.map((path) => path.slice(1)),
        ),
      ] as const;
    },
  );
  return Object.fromEntries(copies.filter(([, copy]) => copy !== undefined));
}

function withItems(columns: readonly Column[]): Column[] {
  return columns.flatMap((column) => [column, ...(column.items ?? [])]);
}

function namesWithParents(columns: readonly Column[]): string[] {
  const names = columns.flatMap(({ name, field = name }) => {
    const parts = field.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(names)];
}

const MAX_MISTYPED = 2;

function unknownField(name: string, known: readonly string[]): CliError {
  // No letter of a short name would have to be right.
  const closest = closestMatch(name, known, { maxDistance: Math.min(MAX_MISTYPED, name.length - 1) });
  const inside = known.filter((field) => field.toLowerCase().endsWith(`.${name.toLowerCase()}`));
  const [close] = [...inside, closest];
  const suggestion = close === undefined ? '' : ` Did you mean ${close}?`;
  const list = known.map((field) => `  ${field}`).join('\n');
  return new CliError(`--fields: unknown field "${name}".${suggestion}\nFields:\n${list}`, exitCodes.usage);
}
