import { existsSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { replaceFile } from '../output/replace-file.ts';
import { BINARY, filesIn, readText } from './files-in.ts';
import { formerFieldsOf } from './former-fields.ts';
import { openProject } from './open-project.ts';
import { formerName, placeKind, placesIn, type Place } from './former-names.ts';
import { renameFields } from './rename-fields.ts';

/** The most lines about one file, or about files that were not read. */
const MAX_LINES = 20;

/** A file, and its texts before and after a rename. */
type Change = readonly [file: string, before: string, after: string];

/** `hr upgrade-names`: renames the former fields of types, and lists every other former name. */
export async function upgradeNames(
  context: Context,
  paths: readonly string[],
  { type: types = [], write = false }: { readonly type?: readonly string[]; readonly write?: boolean },
): Promise<number | void> {
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new CliError(`${missing}: no such file or folder.`, exitCodes.usage);
  const files = await filesIn(paths);
  const texts = new Map<string, string>();
  const unread = new Map<string, string>();
  for (const file of files) {
    // oxlint-disable-next-line no-await-in-loop -- lets Ctrl-C through
    await setImmediate(undefined, { signal: context.signal });
    const { text = '', reason } = readText(file);
    if (reason !== undefined) unread.set(file, reason);
    else if (text.search(formerName) >= 0) texts.set(file, text);
  }
  const original = [...texts];
  const notes = renameTypes(types, texts);
  const changes = original
    .map(([file, before]): Change => [file, before, texts.get(file) ?? before])
    .filter(([, before, after]) => before !== after);
  if (write) await replaceAll(changes);

  const found = [...texts].flatMap(([file, text]) => placesIn(file, text));
  // Notes come first, and have precedence.
  const all = [...notes, ...found, ...notes];
  const byPlace = new Map(all.map((place) => [`${place.file}:${place.line}:${place.column}`, place]));
  const places = [...byPlace.values()].map((place) => ({ ...place, file: shown(place.file) }));
  if (context.wantsRecords || context.flags.fields) await context.write(placeKind, places);
  else print(context, changes, places);
  const reasons = Array.from(unread, ([file, reason]) => `${shown(file)}: ${reason}`);
  context.terminal.stderr.write(listed('Not read:', bounded(reasons, 'other files')));
  const renames = `Files ${write ? 'renamed in' : 'to rename in, with --write'}: ${changes.length}.`;
  const counts = `Files searched: ${files.length}. Places left to you: ${places.length}.`;
  context.info(types.length > 0 ? `${counts} ${renames}` : counts);
  if ([...unread.values()].some((reason) => reason !== BINARY)) return exitCodes.partial;
  return places.length > 0 || (changes.length > 0 && !write) ? exitCodes.failure : undefined;
}

/** Renames the former fields of types, such as `src/hr.ts#Person`, in texts, and returns what a person has to look at. */
function renameTypes(types: readonly string[], texts: Map<string, string>): Place[] {
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

/** Replaces all files, or none if one fails. */
async function replaceAll(changes: readonly Change[]): Promise<void> {
  const replaced: Change[] = [];
  // oxlint-disable no-await-in-loop -- the first failure ends it
  try {
    for (const [file, before, after] of changes) {
      const isOther = (await readFile(file, 'utf8')) !== before;
      if (isOther) throw new CliError(`${file}: it changed while the command ran. Run it again.`);
      await replaceFile(file, [after], (await stat(file)).mode);
      replaced.push([file, before, after]);
    }
  } catch (error) {
    for (const [file, before] of replaced) await replaceFile(file, [before], (await stat(file)).mode);
    throw error;
  }
  // oxlint-enable no-await-in-loop
}

/** Prints the diff, and the places unless the person wants it quiet. */
function print({ flags, terminal }: Context, changes: readonly Change[], places: readonly Place[]): void {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  for (const [file, before, after] of changes) {
    const path = shown(file);
    terminal.stdout.write(createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, '', '', options));
  }
  const byFile = [...Map.groupBy(places, ({ file }) => file)];
  const lines = byFile.flatMap(([file, all]) => bounded(all.map(lineOf), file));
  if (!flags.quiet) terminal.stderr.write(listed('Left to you:', lines));
}

/** A path as people write it: relative inside the current folder. */
function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

function lineOf({ file, line, column, name, current, models, note }: Place): string {
  const rule = current === undefined ? name : `${name} → ${current} (${models})`;
  return `${file}:${line}:${column} ${rule}${note === undefined ? '' : `: ${note}`}`;
}

function bounded(lines: readonly string[], what: string): string[] {
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `${what}: ${more} more`] : [...lines];
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
