import { wireNames } from '@hr/schemas';
import type { WireNames } from '@hr/schemas';
import { HrError } from './hr-error.ts';

/** The name in the URL of each query parameter, by operation. */
export type WireNameTable = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * The names of `@hr/schemas`, with those of the deployment over them.
 *
 * @throws {HrError} `invalid-option`: a name that nobody knows would be left out, one that is taken would hide another.
 */
export function wireNameTable(deviating: WireNames): WireNameTable {
  const table = new Map(
    Object.entries(wireNames).map(([id, names]) => [id, new Map<string, string>(Object.entries(names))]),
  );
  for (const [id, names] of entries('wireNames', deviating)) {
    const place = `wireNames.${id}`;
    const known = table.get(id) ?? fail(`wireNames must be of ${[...table.keys()].join(', ')}, by operation.`);
    for (const [parameter, name] of entries(place, names)) {
      if (!known.has(parameter)) fail(`${place} must be of ${[...known.keys()].join(', ')}.`);
      if (name === undefined) continue;
      if (typeof name !== 'string' || name === '') fail(`${place}.${parameter} must be the name in the URL.`);
      known.set(parameter, name);
    }
    if (new Set(known.values()).size < known.size) fail(`${place} must be another name for each parameter.`);
  }
  return table;
}

function entries(place: string, value: unknown): [string, unknown][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) fail(`${place} must be an object of names.`);
  return Object.entries(value);
}

function fail(remedy: string): never {
  throw new HrError('invalid-option', remedy);
}
