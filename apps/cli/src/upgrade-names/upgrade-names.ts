import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { replaceFile } from '../output/replace-file.ts';
import { filesIn } from './files-in.ts';
import { hasFormerName, placeKind, placesIn, type Place } from './places.ts';
import { BINARY, readText } from './read-text.ts';

/** The most lines for people about a file, or about files that were not read. */
const MAX_LINES = 20;

interface Options {
  /** Such as `src/hr.ts#Person`. */
  readonly type?: readonly string[];
  readonly write?: boolean;
}

/** A file that a rename changes. */
interface Change {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** `hr upgrade-names`: renames the former fields of types, and lists every other former name. */
export async function upgradeNames(
  context: Context,
  paths: readonly string[],
  { type: types = [], write = false }: Options,
): Promise<number | void> {
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new CliError(`${missing}: no such file or folder.`, exitCodes.usage);
  const files = await filesIn(paths);
  const { texts, unread } = await readTexts(files, context.signal);
  const original = [...texts];
  const noted = types.length > 0 ? (await import('./rename-types.ts')).renameTypes(types, texts) : [];
  const changes = original
    .map(([file, before]) => ({ file, before, after: texts.get(file) ?? before }))
    .filter(({ before, after }) => before !== after);
  if (write) await replaceAll(changes);

  const found = [...texts].flatMap(([file, text]) => placesIn(file, text));
  const byPlace = new Map([...found, ...noted].map((place) => [`${place.file}:${place.line}:${place.column}`, place]));
  const places = [...byPlace.values()].map((place) => ({ ...place, file: shown(place.file) }));
  const { stdout, stderr } = context.terminal;
  const { output, json, out, fields, quiet = false } = context.flags;
  if ([output, json, out, fields].some((flag) => flag !== undefined)) await context.write(placeKind, places);
  else {
    for (const change of changes) stdout.write(diffOf(change));
    const byFile = [...Map.groupBy(places, ({ file }) => file)];
    const lines = byFile.flatMap(([file, ofFile]) => bounded(ofFile.map(lineOf), file));
    if (!quiet) stderr.write(listed('Left to you:', lines));
  }
  const reasons = Array.from(unread, ([file, reason]) => `${shown(file)}: ${reason}`);
  stderr.write(listed('Not read:', bounded(reasons, 'other files')));
  const isOpen = changes.length > 0 && !write;
  const renamed = `${write ? 'Renamed' : 'Would rename'} fields in ${counted(changes.length, 'file')}.`;
  context.info(`${counted(files.length, 'file')} searched, ${counted(places.length, 'place')} left to you. ${renamed}`);
  if ([...unread.values()].some((reason) => reason !== BINARY)) return exitCodes.partial;
  return places.length > 0 || isOpen ? exitCodes.failure : undefined;
}

/** The texts with former names, and why other files were not read. */
async function readTexts(
  files: readonly string[],
  signal: AbortSignal,
): Promise<{ texts: Map<string, string>; unread: Map<string, string> }> {
  const texts = new Map<string, string>();
  const unread = new Map<string, string>();
  for (const file of files) {
    // oxlint-disable-next-line no-await-in-loop -- lets a signal through
    await setImmediate(undefined, { signal });
    const { text = '', unread: reason } = readText(file);
    if (reason !== undefined) unread.set(file, reason);
    else if (hasFormerName(text)) texts.set(file, text);
  }
  return { texts, unread };
}

/** Replaces all files, or none if one fails. */
async function replaceAll(changes: readonly Change[]): Promise<void> {
  const replaced: Change[] = [];
  // oxlint-disable no-await-in-loop -- the first failure ends it
  try {
    for (const change of changes) {
      const { file, before, after } = change;
      if ((await readFile(file, 'utf8')) !== before) throw new CliError(`${file} has just changed. Run it again.`);
      await replaceFile(file, [after], (await stat(file)).mode);
      replaced.push(change);
    }
  } catch (error) {
    for (const { file, before } of replaced) await replaceFile(file, [before], (await stat(file)).mode);
    throw error;
  }
  // oxlint-enable no-await-in-loop
}

function diffOf({ file, before, after }: Change): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${shown(file)}`, `b/${shown(file)}`, before, after, '', '', options);
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

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
