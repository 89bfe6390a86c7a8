import { isHarmless } from './is-harmless.ts';
import { lineChanges } from './line-changes.ts';
import type { LineChange } from './line-changes.ts';
import { outline } from './outline.ts';
import { importedName, mentions } from './section.ts';

/** A declaration and the imports of the report around it. */
export interface Declared {
  readonly code: string;
  readonly imports: readonly string[];
}

/** What a declaration lost and gained. */
export interface ChangedLines {
  /** The kind of release that it needs at least. */
  readonly needs: 'major' | 'minor' | 'patch';
  /** The lines that are gone, after a minus, and those that are new, after a plus. */
  readonly lines: readonly string[];
}

const SEALED = /^\/\/.* @sealed\b/m;
const NAME = /^(?:readonly )?([\w$]+|'[^']*'|"[^"]*")\??[:(<]/;

/** What has changed in a declaration that users can import, or meet in others; nothing where it says the same. */
export function changedLines(before: Declared, now: Declared, isExported: boolean): ChangedLines | undefined {
  const { lost, gained } = lineChanges(outline(before.code), outline(now.code));
  const imports = lostImports(before, now);
  const gainer = { isExported, isSealed: SEALED.test(before.code) };
  const harmful = gained.filter((change) => !isHarmless(change, gainer));
  const gone = [...lost.map(shown), ...imports];
  if (gone.length === 0 && gained.length === 0) return undefined;
  const needs = gone.length > 0 || harmful.length > 0 ? 'major' : 'minor';
  const told = gone.length > 0 || needs === 'minor' ? gained : harmful;
  return { needs, lines: [...gone.map((line) => `- ${line}`), ...told.map((change) => `+ ${shown(change)}`)] };
}

/** The imports of what a declaration uses that are others now, so that the same words mean something else. */
function lostImports(before: Declared, now: Declared): string[] {
  const left = new Set(now.imports.map(withoutType));
  return before.imports
    .filter((line) => [before, now].every(({ code }) => mentions(code, importedName(line))))
    .map(withoutType)
    .filter((line) => !left.has(line));
}

/** Whether only the type is imported is nothing to users. */
function withoutType(line: string): string {
  return line.replace(/^import type /, 'import ');
}

function shown({ line: { text }, around }: LineChange): string {
  const place = around.flatMap(({ text: outer }) => NAME.exec(outer)?.[1] ?? []);
  return place.length > 0 ? `in ${place.join('.')}: ${text}` : text;
}
