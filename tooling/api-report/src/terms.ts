import { withCatalog } from 'tooling-release/catalog';
import type { Catalog } from 'tooling-release/catalog';

/** What a package.json says to whoever installs the package: what it asks for, and the commands that it brings. */
export interface Term {
  readonly kind: 'bin' | 'dependency' | 'engine' | 'peer';
  readonly name: string;
  /** The versions that it takes; empty for a command. */
  readonly range: string;
  /** Whether it is for those only who use a part of the package. */
  readonly isOptional: boolean;
}

type Ranges = Readonly<Record<string, string>>;

/** What of a package.json its terms are made from. */
export interface TermsSource {
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines?: Ranges;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const TERM = /^(optional )?(bin|dependency|engine|peer) (\S+)(?: (.+))?$/gm;

/** The terms of a package.json, with the ranges of the catalog. Those of our own packages are up to each release. */
export function termsOf(manifest: TermsSource, catalog: Catalog): Term[] {
  const { bin = {}, engines = {}, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const commands = Object.fromEntries(Object.keys(bin).map((name) => [name, '']));
  return [
    ...terms('engine', engines),
    ...terms('bin', commands),
    ...terms('dependency', withCatalog(dependencies, catalog)),
    ...terms('peer', withCatalog(peerDependencies, catalog)).map((term) => ({
      ...term,
      isOptional: peerDependenciesMeta[term.name]?.optional === true,
    })),
  ];
}

function terms(kind: Term['kind'], ranges: Ranges): Term[] {
  return Object.entries(ranges).map(([name, range]) => ({ kind, name, range, isOptional: false }));
}

/** A line for each term, such as `optional peer msw ^3.0.5`. */
export function writeTerms(all: readonly Term[]): string {
  const lines = all.map(({ kind, name, range, isOptional }) => [isOptional ? 'optional' : '', kind, name, range]);
  return lines.map((words) => words.filter(Boolean).join(' ')).join('\n');
}

/** Reads what `writeTerms` has written. */
export function readTerms(text: string): Term[] {
  return Array.from(text.matchAll(TERM), ([, optional, kind, name = '', range = '']) => ({
    kind: kind as Term['kind'],
    name,
    range,
    isOptional: optional !== undefined,
  }));
}
