import { wireNames, type WireNames } from '@hr/schemas/checks';
import { HrError } from './hr-error.ts';

/** The name in the URL of each query parameter, by operation. */
export type WireNameTable = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * The names of `@hr/schemas`, overridden by those of the deployment.
 *
 * @throws {HrError} `invalid-option` for an unknown operation or parameter, or if two parameters have the same name.
 */
export function wireNameTable(deviating: WireNames): WireNameTable {
  const table = new Map(
    Object.entries(wireNames).map(([id, names]) => [id, new Map<string, string>(Object.entries(names))]),
  );
  for (const [id, names] of entries('wireNames', deviating)) {
    const place = `wireNames.${id}`;
    const known =
      table.get(id) ?? fail(`wireNames has an unknown operation. The operations are ${[...table.keys()].join(', ')}.`);
    for (const [parameter, name] of entries(place, names)) {
      if (!known.has(parameter))
        fail(`${place} has an unknown parameter. The parameters are ${[...known.keys()].join(', ')}.`);
      if (name === undefined) continue;
      if (typeof name !== 'string' || name === '')
        fail(`${place}.${parameter} must be a non-empty string, the name in the URL.`);
      known.set(parameter, name);
    }
    if (new Set(known.values()).size < known.size) fail(`${place} must not give two parameters the same name.`);
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
