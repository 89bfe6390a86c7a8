import { realpathSync } from 'node:fs';
import { CliError, exitCodes } from '../cli-error.ts';
import { formerFieldsOf } from './former-fields.ts';
import { openProject } from './open-project.ts';
import type { Place } from './places.ts';
import { renameFields } from './rename-fields.ts';

/** Renames the former fields of types, such as `src/hr.ts#Person`, in texts, and returns what a person has to look at. */
export function renameTypes(types: readonly string[], texts: Map<string, string>): Place[] {
  let named = types.map(namedType);
  const places: Place[] = [];
  for (let [first] = named; first; [first] = named) {
    const project = openProject(first.file, texts);
    const inside = named.filter(({ file }) => project.program.getSourceFile(file));
    const fields = inside.flatMap(({ file, name }) => formerFieldsOf(project, file, name));
    places.push(...renameFields(project, fields));
    named = named.filter((each) => !inside.includes(each));
  }
  return places;
}

function namedType(type: string): { readonly file: string; readonly name: string } {
  const [, path = '', name = ''] = /^(.+)#(\w+)$/.exec(type) ?? [];
  if (name === '') throw new CliError(`--type ${type}: write it as src/hr.ts#Person.`, exitCodes.usage);
  try {
    return { file: realpathSync(path), name };
  } catch {
    throw new CliError(`--type ${type}: no such file.`, exitCodes.usage);
  }
}
