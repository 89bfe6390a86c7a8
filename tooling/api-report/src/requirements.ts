import { subset, validRange } from 'semver';
import { withCatalog } from 'tooling-release/catalog';
import type { Catalog } from 'tooling-release/catalog';

type Ranges = Readonly<Record<string, string>>;

/** What a package.json says to those who install the package. */
export interface Installed {
  readonly bin?: Ranges;
  readonly engines?: Ranges;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * What users run and install: a line for each, such as `engine node: >=22`.
 *
 * @param api - the code of the report: users see the types of the dependencies that it imports
 */
export function requirementLines(installed: Installed, catalog: Catalog, api: string): string[] {
  const { bin = {}, engines = {}, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = installed;
  const imported = Object.entries(dependencies).filter(([name]) => new RegExp(` from '${name}['/]`).test(api));
  const lines = (ranges: Ranges, kind: (name: string) => string): string[] =>
    Object.entries(withCatalog(ranges, catalog)).map(([name, range]) => `${kind(name)} ${name}: ${range}`);
  return [
    ...lines(bin, () => 'command'),
    ...lines(engines, () => 'engine'),
    ...lines(Object.fromEntries(imported), () => 'dependency'),
    ...lines(peerDependencies, (name) => (peerDependenciesMeta[name]?.optional ? 'optional peer' : 'peer')),
  ];
}

/** Whether a change of a line of a report breaks programs or installations. A line that is missing has no value. */
export function isBreaking(term: string, before: string | undefined, now: string | undefined): boolean {
  const [, kind] = /^(.*) /.exec(term) ?? [];
  if (kind === 'command') return now === undefined;
  if (kind === 'engine' || kind === 'peer') return now !== undefined && !isWithin(before, now);
  if (before === undefined || now === undefined) return false;
  if (kind === 'optional peer') return !isWithin(before, now);
  if (kind === 'dependency') return !isWithin(now, before);
  // A field of a model. If it is new or removed, its type has changed.
  return before !== now;
}

/** Whether a range has no version that another excludes. Ranges of our own packages are up to each release. */
function isWithin(range: string | undefined, other: string): boolean {
  if (range === other || other.startsWith('workspace:')) return true;
  return Boolean(range && validRange(range) && validRange(other)) && subset(range ?? '', other);
}
