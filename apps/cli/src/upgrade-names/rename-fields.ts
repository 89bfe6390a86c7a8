import { resolve } from 'node:path';
import type ts from 'typescript-6';
import type { FormerField } from './former-fields.ts';
import { isOwn, type Project } from './open-project.ts';
import { placeOf, type Place } from './places.ts';

/** A replacement in a file, which keeps its lines. */
interface Edit {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Why a field is not renamed: because of a name in a line. */
interface Obstacle {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly note: string;
}

/**
 * Renames fields wherever TypeScript finds them: each one in all places, or in none. Then it renames what no longer
 * type-checks because of its former name, such as `Pick<Address, 'postalCode'>`.
 *
 * @returns What prevents a rename, and what no longer type-checks.
 */
export function renameFields(project: Project, fields: readonly FormerField[]): Place[] {
  const { texts, program } = project;
  const known = new Set(errorsIn(project).map(idOf));
  const newErrors = () => errorsIn(project).filter((error) => !known.has(idOf(error)));
  const renames = fields.map((field) => ({ ...field, ...renameOf(project, field) }));
  const done = renames.filter(({ obstacles }) => obstacles.length === 0);
  const names = new Map(done.map(({ former, current }) => [former, current]));
  let edits = done.flatMap((rename) => rename.edits);
  while (edits.length > 0) {
    apply(edits, texts);
    edits = newErrors()
      .flatMap((error) => correctionsOf(error, names))
      .filter(({ file }) => texts.has(file));
  }
  const obstacles = renames
    .flatMap((rename) => rename.obstacles)
    .map(({ file, line, name, note }) => {
      const content = (texts.get(file) ?? program.getSourceFile(file)?.text ?? '').split('\n')[line];
      return placeOf(name, file, line, content?.search(new RegExp(`\\b${name}\\b`)) ?? 0, note);
    });
  const errors = newErrors().map(({ file: source, start, code }) => {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    const [name = ''] = /^\w*/.exec(source.text.slice(start)) ?? [];
    return placeOf(name, resolve(source.fileName), line, character, `error TS${code} after the rename`);
  });
  return [...obstacles, ...errors];
}

/** The edits that rename a field, and what prevents them. */
function renameOf(project: Project, field: FormerField): { edits: readonly Edit[]; obstacles: readonly Obstacle[] } {
  const { texts } = project;
  const { declared, former, current } = field;
  const file = resolve(declared.getSourceFile().fileName);
  const start = declared.getStart();
  const edits = editsAt(project, file, start, current);
  const outside = edits.filter((edit) => !texts.has(edit.file));
  if (outside.length > 0) {
    const note = 'not renamed, because the file is not given';
    return { edits, obstacles: outside.map((edit) => ({ ...edit, name: former, note })) };
  }
  const original = new Map(texts);
  apply(edits, texts);
  const earlier = edits.filter((edit) => edit.file === file && edit.end <= start);
  const growth = earlier.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
  const places = editsAt(project, file, start + growth, current);
  for (const [each, text] of original) texts.set(each, text);
  // Another field would be the same field.
  const collisions = places.filter((place) => {
    const isBeside = (edit: Edit) => edit.file === place.file && edit.line === place.line;
    return places.filter(isBeside).length > edits.filter(isBeside).length;
  });
  const note = `${former} is not renamed, because ${current} is there, too`;
  return { edits, obstacles: collisions.map((place) => ({ ...place, name: current, note })) };
}

/** The edits that rename the field at a position. */
function editsAt({ service }: Project, name: string, position: number, current: string): Edit[] {
  const program = service.getProgram();
  const preferences = { providePrefixAndSuffixTextForRename: true };
  const places = service.findRenameLocations(name, position, false, false, preferences) ?? [];
  return places.map(({ fileName, textSpan: { start, length }, prefixText = '', suffixText = '' }) => {
    const line = program?.getSourceFile(fileName)?.getLineAndCharacterOfPosition(start).line ?? 0;
    return { file: resolve(fileName), line, start, end: start + length, text: prefixText + current + suffixText };
  });
}

function apply(edits: readonly Edit[], texts: Map<string, string>): void {
  const places = new Map(edits.map((edit) => [`${edit.file}:${edit.start}`, edit]));
  for (const { file, start, end, text } of [...places.values()].toSorted((left, right) => right.start - left.start)) {
    const before = texts.get(file) ?? '';
    texts.set(file, before.slice(0, start) + text + before.slice(end));
  }
}

function errorsIn({ service }: Project): ts.DiagnosticWithLocation[] {
  const program = service.getProgram();
  const sources = program?.getSourceFiles().filter(isOwn) ?? [];
  // Those of a file have a location.
  return sources.flatMap((source) => program?.getSemanticDiagnostics(source) ?? []) as ts.DiagnosticWithLocation[];
}

/** An error, before and after edits. */
function idOf({ file, start, code }: ts.DiagnosticWithLocation): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line} ${code}`;
}

/** A property is unknown. */
const unknownProperty: ReadonlySet<number> = new Set([2339, 2353, 2551, 2561]);

/** The edits of an error that is about names alone, such as `'street' | 'postalCode'`. */
function correctionsOf(error: ts.DiagnosticWithLocation, names: ReadonlyMap<string, string>): Edit[] {
  const { file: source, start, length, code } = error;
  const text = source.text.slice(start, start + length);
  const isProperty = unknownProperty.has(code);
  if (!isProperty && !/^["'`][\w\s|"'`]+$/.test(text)) return [];
  // In `{ postalCode }`, it is the name of a variable, too.
  const [before, after] = [source.text.slice(0, start), source.text.slice(start + length)];
  const isShorthand = isProperty && /[{,]\s*$/.test(before) && /^\s*[,}=]/.test(after);
  return Array.from(text.matchAll(/\w+/g)).flatMap(({ index, 0: former }) => {
    const current = names.get(former);
    if (current === undefined) return [];
    const place = { file: resolve(source.fileName), line: 0, start: start + index, end: start + index + former.length };
    return [{ ...place, text: isShorthand ? `${current}: ${former}` : current }];
  });
}
