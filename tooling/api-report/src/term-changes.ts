import { subset, validRange } from 'semver';
import type { ApiChange } from './api-changes.ts';
import type { Offer } from './report-file.ts';
import type { Section } from './section.ts';
import { writeTerms } from './terms.ts';
import type { Term } from './terms.ts';

/** What of a package says what has to be installed with it, and which of that users meet. */
type Installed = Pick<Offer, 'sections' | 'terms'>;

/** What has changed for whoever installs a package. */
export function termChanges(released: Installed, now: Installed): ApiChange[] {
  const before = new Map(released.terms.map((term) => [keyOf(term), term]));
  const fresh = new Map(now.terms.map((term) => [keyOf(term), term]));
  const added = now.terms.filter((term) => !before.has(keyOf(term)));
  return [
    ...released.terms.flatMap((term): ApiChange[] => {
      const same = fresh.get(keyOf(term));
      if (!same) return [change(term, 'removed', neededWithout(term), [`- ${shown(term)}`])];
      if (shown(same) === shown(term)) return [];
      const needs = neededByChange(term, same, released.sections);
      return [change(term, 'changed', needs, [`- ${shown(term)}`, `+ ${shown(same)}`])];
    }),
    ...added.map((term) => change(term, 'new', neededByNew(term), [`+ ${shown(term)}`])),
  ];
}

function keyOf({ kind, name }: Term): string {
  return `${kind} ${name}`;
}

function shown(term: Term): string {
  return writeTerms([term]);
}

function change(term: Term, what: ApiChange['what'], needs: ApiChange['needs'], lines: readonly string[]): ApiChange {
  return { specifier: 'package.json', name: keyOf(term), what, needs, lines };
}

function neededWithout({ kind }: Term): ApiChange['needs'] {
  if (kind === 'bin') return 'major';
  return kind === 'dependency' ? 'patch' : 'minor';
}

function neededByNew({ kind, isOptional }: Term): ApiChange['needs'] {
  // It comes by itself.
  if (kind === 'dependency') return 'patch';
  return kind === 'bin' || isOptional ? 'minor' : 'major';
}

function neededByChange(before: Term, now: Term, sections: readonly Section[]): ApiChange['needs'] {
  if (before.kind === 'dependency') {
    // What users meet of it in our types has to go on to be what it was.
    return isMet(before, sections) && !isWithin(now, before) ? 'major' : 'patch';
  }
  const asksMore = before.isOptional && !now.isOptional;
  return asksMore || !isWithin(before, now) ? 'major' : 'minor';
}

function isMet({ name }: Term, sections: readonly Section[]): boolean {
  return sections.some(({ imports }) =>
    imports.some((line) => line.includes(`'${name}'`) || line.includes(`'${name}/`)),
  );
}

/** Whether each version that one takes is fine for another, too. */
function isWithin({ range }: Term, other: Term): boolean {
  if (range === other.range) return true;
  return validRange(range) !== null && validRange(other.range) !== null && subset(range, other.range);
}
