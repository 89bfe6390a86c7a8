import { readFile, stat } from 'node:fs/promises';
import { extname, relative, resolve } from 'node:path';
import { MagicString } from 'magic-string';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { replaceFile } from '../output/replace-file.ts';
import { SourceError, type FileFindings, type Finding } from './file-findings.ts';
import { renameInJson } from './rename-in-json.ts';
import { renameInTypeScript } from './rename-in-typescript.ts';
import { formerNames } from './renamed-model.ts';
import { isSource, sourceFiles, typeScriptExtensions } from './source-files.ts';
import { parseTypeScript } from './syntax.ts';
import { addTypeFacts, noTypeFacts, TypeLookup, typeFactsOf, type TypeFacts } from './type-facts.ts';
import { colored, unifiedDiff } from './unified-diff.ts';

const formerName = new RegExp([...formerNames.keys()].join('|'));

const MAX_LEFT_SHOWN = 20;
const MAX_BYTES = 2 ** 28;

/** Why a former name stays, for people. */
const reasons: Readonly<Record<Finding['verdict'], string>> = {
  rename: '',
  both: 'the current name is there, too',
  unclear: 'not clear that it is a field of the API',
  text: 'in a string',
};

/** `hr upgrade-names`: finds former field names in JSON and TypeScript, and renames them with `--write`. */
export async function upgradeNames(
  context: Context,
  paths: readonly string[],
  { write = false }: { readonly write?: boolean },
): Promise<number | void> {
  const { stdout, stderr, env } = context.terminal;
  const hasColor = stdout.isTTY === true && !env['NO_COLOR'];
  const files = await filesOf(paths);
  const types = await readTypes(files);
  const renamed = new Map<string, number>();
  const left: string[] = [];
  const unreadable: string[] = [];
  let changed = 0;

  // oxlint-disable no-await-in-loop -- one file in memory, and the diffs in order
  for (const file of files) {
    context.signal.throwIfAborted();
    const path = shown(file);
    let text = '';
    try {
      text = await readText(file);
      if (!formerName.test(text)) continue;
      const { findings, edits } = findingsOf(file, text, types);
      for (const { former, current, verdict } of findings) {
        const name = `${former} → ${current}`;
        if (verdict === 'rename') renamed.set(name, (renamed.get(name) ?? 0) + 1);
      }
      left.push(...leftIn(path, text, findings));
      if (edits.length === 0) continue;
      changed++;
      const source = new MagicString(text);
      for (const edit of edits) {
        if (edit.start === edit.end) source.appendLeft(edit.start, edit.text);
        else source.overwrite(edit.start, edit.end, edit.text);
      }
      const upgraded = source.toString();
      const diff = unifiedDiff(path, text, upgraded);
      stdout.write(hasColor ? colored(diff) : diff);
      if (write) await replaceFile(file, [upgraded], (await stat(file)).mode);
    } catch (error) {
      const { at, message } = sourceErrorOf(error);
      unreadable.push(`${path}:${placeOf(text, at)} ${message}`);
    }
  }

  // oxlint-enable no-await-in-loop

  if (unreadable.length > 0) stderr.write(`Skipped, because they do not parse:\n${listed(unreadable)}`);
  if (left.length > 0 && !context.flags.quiet) stderr.write(`Left as they are, for you to check:\n${listed(left)}`);
  context.info(summary(renamed, changed, files.length, write));
  if (unreadable.length > 0) return exitCodes.partial;
  return changed > 0 && !write ? exitCodes.failure : undefined;
}

async function filesOf(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  for (const [index, path] of paths.entries()) {
    const entry = found[index];
    if (!entry) throw new CliError(`${path}: no such file or folder.`, exitCodes.usage);
    if (entry.isFile() && !isSource(path)) {
      throw new CliError(`${path}: not JSON or TypeScript. Pass a folder, or a file of these kinds.`, exitCodes.usage);
    }
  }
  return await sourceFiles(paths.map((path) => resolve(path)));
}

/** What the types in all files say, if TypeScript has former names at all. */
async function readTypes(files: readonly string[]): Promise<TypeFacts> {
  const all = noTypeFacts();
  const sources = files.filter((file) => typeScriptExtensions.has(extname(file)));
  const texts = await Promise.all(sources.map(async (file) => [file, await readText(file).catch(() => '')] as const));
  if (!texts.some(([, text]) => formerName.test(text))) return all;
  for (const [file, text] of texts) {
    try {
      addTypeFacts(all, typeFactsOf(parseTypeScript(file, text)));
    } catch (error) {
      // It is reported when its names are looked for, if it has any.
      sourceErrorOf(error);
    }
  }
  return all;
}

function findingsOf(file: string, text: string, types: TypeFacts): FileFindings {
  if (!typeScriptExtensions.has(extname(file))) return renameInJson(text);
  const program = parseTypeScript(file, text);
  return renameInTypeScript(program, new TypeLookup(typeFactsOf(program), types));
}

/** @throws {SourceError} If the file is too large, or not UTF-8: another encoding would not survive. */
async function readText(file: string): Promise<string> {
  // Such as a video, whose files end in .ts too.
  if ((await stat(file)).size > MAX_BYTES) throw new SourceError(0, 'It is larger than 256 MiB.');
  const bytes = await readFile(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SourceError(0, 'It is not UTF-8.');
  }
}

/** The names of a file that stay. A data file may have thousands. */
function leftIn(path: string, text: string, findings: readonly Finding[]): string[] {
  const left = findings.filter(({ verdict }) => verdict !== 'rename');
  const lines = left
    .slice(0, MAX_LEFT_SHOWN)
    .map(({ at, former, verdict }) => `${path}:${placeOf(text, at)} ${former}: ${reasons[verdict]}`);
  return left.length > MAX_LEFT_SHOWN ? [...lines, `${path}: ${left.length - MAX_LEFT_SHOWN} more`] : lines;
}

/** A path as people write it: relative inside the current folder. */
function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

/** @throws Any error that is not about the text of a file. */
function sourceErrorOf(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  // The parsers call themselves for each level.
  if (error instanceof RangeError) return new SourceError(0, 'It is nested too deeply.');
  throw error;
}

/** Line and column of an offset, as editors count them. */
function placeOf(text: string, at: number): string {
  const line = text.slice(0, at).split('\n').length;
  return `${line}:${at - text.lastIndexOf('\n', at - 1)}`;
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

function summary(renamed: ReadonlyMap<string, number>, changed: number, checked: number, write: boolean): string {
  const count = [...renamed.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return `Nothing to rename in ${counted(checked, 'file')}.`;
  const names = [...renamed].map(([name, times]) => `${name} (${times})`).join(', ');
  const done = `${counted(count, 'name')} in ${changed} of ${counted(checked, 'file')}: ${names}.`;
  return write ? `Renamed ${done}` : `Would rename ${done} Run it again with --write to rename them.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
