import { CliError, exitCodes } from '../cli-error.ts';
import type { Column, RecordKind } from './record-kind.ts';

/**
 * The columns that `--fields` names, in that order. The name of an object, such as `address`, stands for its columns.
 *
 * @throws {CliError} If there is no such column.
 */
export function columnsOfFields({ columns }: Pick<RecordKind<never>, 'columns'>, names: readonly string[]): Column[] {
  const known = columns.map(({ name }) => name);
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
  const known = kind.fields ?? namesWithParents(kind.columns);
  for (const name of names) {
    if (known.includes(name)) continue;
    if (!kind.columns.some((column) => column.name === name)) throw unknownField(name, known);
    const message = `--fields: "${name}" is a column of tables, CSV and Parquet. JSON has ${known.join(', ')}.`;
    throw new CliError(`${message} Name one of those, or add --output csv.`, exitCodes.usage);
  }
  const paths = names.map((name) => name.split('.'));
  return (element) => {
    const picked = {};
    for (const path of paths) copyField(element as Fields, picked, path);
    return picked;
  };
}

type Fields = Record<string, unknown>;

function copyField(from: Readonly<Fields>, to: Fields, [name = '', ...rest]: readonly string[]): void {
  const value = from[name];
  if (value === undefined) return;
  if (rest.length === 0 || value === null) {
    to[name] = value;
    return;
  }
  // A copy, because `address,address.city` must not change the object of the element.
  const inner: Fields = { ...(to[name] as Fields | undefined) };
  copyField(value as Fields, inner, rest);
  to[name] = inner;
}

function namesWithParents(columns: readonly Column[]): string[] {
  const names = columns.flatMap(({ name }) => {
    const parts = name.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(names)];
}

function unknownField(name: string, known: readonly string[]): CliError {
  const closest = closestNames(name, known);
  const suggestion = closest.length > 0 ? ` Did you mean ${closest.join(' or ')}?` : '';
  const list = known.map((field) => `  ${field}`).join('\n');
  return new CliError(`--fields: unknown field "${name}".${suggestion}\nFields:\n${list}`, exitCodes.usage);
}

const MAX_SUGGESTIONS = 3;

/** The names that look like a mistyped one: those that contain it, or differ in few characters. */
function closestNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  if (wanted === '') return [];
  return known
    .map((candidate) => {
      const found = candidate.toLowerCase();
      return { candidate, distance: found.includes(wanted) ? 0 : editDistance(wanted, found) };
    })
    .filter(({ distance }) => distance <= Math.max(1, wanted.length / 3))
    .toSorted((left, right) => left.distance - right.distance || left.candidate.length - right.candidate.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

/** The number of characters to insert, delete or replace (Levenshtein). */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
