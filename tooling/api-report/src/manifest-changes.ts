import { subset, validRange } from 'semver';
import { readCatalog, withCatalog } from 'tooling-release/catalog';

type Ranges = Readonly<Record<string, string>>;

interface Manifest {
  readonly bin?: Ranges;
  readonly engines?: Ranges;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The text of a package.json and of the catalog. */
type Texts = readonly [manifest: string, catalog: string];

/**
 * What users can no longer run or install.
 *
 * @param api - the released types: users see those of the dependencies that it imports
 */
export function manifestChanges(before: Texts, now: Texts, api: string): string[] {
  const [old, fresh] = [termsOf(before), termsOf(now)];
  const removed = Array.from(old.keys()).filter((term) => term.startsWith('command') && !fresh.has(term));
  const changed = Array.from(fresh).filter(([term, range]) => {
    const was = old.get(term);
    if (was === range || term.startsWith('command')) return false;
    if (!term.startsWith('dependency')) return was === undefined ? !term.startsWith('optional') : !isWithin(was, range);
    return was !== undefined && !isWithin(range, was) && api.includes(`from '${term.split(' ')[1]}`);
  });
  return [
    ...removed.map((term) => `${term} is removed`),
    ...changed.map(([term, range]) => `${term} was ${old.get(term) ?? 'not required'} and is ${range}`),
  ];
}

/** What a package.json says to users, such as `engine node` with its range. */
function termsOf([text, catalogText]: Texts): Map<string, string> {
  const manifest = JSON.parse(text) as Manifest;
  const { bin = {}, engines = {}, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const of = (ranges: Ranges, kind: (name: string) => string): [string, string][] =>
    Object.entries(withCatalog(ranges, readCatalog(catalogText))).map(([name, range]) => [
      `${kind(name)} ${name}`,
      range,
    ]);
  return new Map([
    ...of(bin, () => 'command'),
    ...of(engines, () => 'engine'),
    ...of(dependencies, () => 'dependency'),
    ...of(peerDependencies, (name) => (peerDependenciesMeta[name]?.optional ? 'optional peer' : 'peer')),
  ]);
}

/** Whether a range has no version that another excludes. Ranges of our own packages are up to each release. */
function isWithin(range: string, other: string): boolean {
  if (other.startsWith('workspace:')) return true;
  return validRange(range) !== null && validRange(other) !== null && subset(range, other);
}
