import { resolve } from 'node:path';
import type ts from 'typescript-6';
import type { FormerField } from './former-fields.ts';
import { isOwn, type Project } from './open-project.ts';
import { placeOf, type Place } from './former-names.ts';

/** A replacement in a file. The lines stay the same. */
interface Edit {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
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
    const corrections = newErrors().flatMap((error) => correctionsOf(error, names));
    edits = corrections.filter(({ file }) => texts.has(file));
  }
  // The edits have moved them.
  const obstacles = renames
    .flatMap((rename) => rename.obstacles)
    .map((place) => {
      const content = (texts.get(place.file) ?? program.getSourceFile(place.file)?.text)?.split('\n')[place.line - 1];
      return { ...place, column: (content?.search(new RegExp(`\\b${place.name}\\b`)) ?? 0) + 1 };
    });
  const errors = newErrors().map(({ file, start, code }) => {
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    const [name = ''] = /^\w*/.exec(file.text.slice(start)) ?? [];
    return placeOf(name, resolve(file.fileName), line, character, `error TS${code} after the rename`);
  });
  return [...obstacles, ...errors];
}

/** The edits that rename a field, and what prevents them. */
function renameOf(project: Project, field: FormerField): { edits: readonly Edit[]; obstacles: readonly Place[] } {
  const { texts } = project;
  const { declared, former, current } = field;
  const file = resolve(declared.getSourceFile().fileName);
  const start = declared.getStart();
  const edits = editsAt(project, file, start, current);
  const outside = edits.filter((edit) => !texts.has(edit.file));
  if (outside.length > 0) {
    const note = 'not renamed, because this file was not searched';
    return { edits, obstacles: outside.map((edit) => placeOf(former, edit.file, edit.line, 0, note)) };
  }
  const original = [...texts];
  apply(edits, texts);
  const earlier = edits.filter((edit) => edit.file === file && edit.end <= start);
  const growth = earlier.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
  const places = editsAt(project, file, start + growth, current);
  for (const [each, text] of original) texts.set(each, text);
  // Another field would become the same field.
  const collisions = places.filter((place) => {
    const isBeside = (edit: Edit) => edit.file === place.file && edit.line === place.line;
    return places.filter(isBeside).length > edits.filter(isBeside).length;
  });
  const note = `${former} is not renamed, because ${current} is there, too`;
  return { edits, obstacles: collisions.map((place) => placeOf(current, place.file, place.line, 0, note)) };
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
  // The errors of a file have a location.
  return sources.flatMap((source) => program?.getSemanticDiagnostics(source) ?? []) as ts.DiagnosticWithLocation[];
}

/** What an error keeps after edits. */
function idOf({ file, start, code }: ts.DiagnosticWithLocation): string {
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line} ${code}`;
}

/** A property is unknown. */
const unknownProperty: ReadonlySet<number> = new Set([2339, 2353, 2551, 2561]);
/** String literals, such as `'street' | 'postalCode'`, also as a value of a variable or property, or compared. */
const literals = /^(?:[\w.]+\s*(?::[^=;\n]*=|[:=!]=*)\s*)?["'`]\w+["'`](?:\s*\|\s*["'`]\w+["'`])*/;

/** The edits of an error that is about a property or string literals alone. */
function correctionsOf({ file: source, start, code }: ts.DiagnosticWithLocation, names: ReadonlyMap<string, string>) {
  const isProperty = unknownProperty.has(code);
  const [text = ''] = (isProperty ? /^["'`]?\w+/ : literals).exec(source.text.slice(start)) ?? [];
  // In `{ postalCode }`, it is the name of a variable, too.
  const previous = source.text.slice(0, start).trimEnd().at(-1) ?? '';
  const isShorthand = '{,'.includes(previous) && /^\w+\s*[,}=]/.test(source.text.slice(start));
  const found = Array.from(text.matchAll(isProperty ? /\w+/g : /(?<=["'`])\w+/g));
  return found.flatMap(({ index, 0: former }): Edit[] => {
    const current = names.get(former);
    if (current === undefined) return [];
    const place = { file: resolve(source.fileName), line: 0, start: start + index, end: start + index + former.length };
    return [{ ...place, text: isProperty && isShorthand ? `${current}: ${former}` : current }];
  });
}
