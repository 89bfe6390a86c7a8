import { subset, validRange } from 'semver';
import { z } from 'zod';

/** Version ranges, by the name of what they are of. */
export type Ranges = Readonly<Record<string, string>>;

/** What a package.json says to those who install the package. */
export interface Installed {
  readonly bin?: Ranges;
  readonly engines?: Ranges;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Keywords of JSON Schema that restrict nothing. */
const ANNOTATIONS = ['deprecated', 'description', 'examples', 'id', 'section', 'title', 'x-extension'];

/**
 * What users run and install: a line for each, such as `engine node: >=22`.
 *
 * @param catalog - the ranges of `catalog:`
 * @param api - the code of the report: users see the types of the dependencies that it imports
 */
export function requirementLines(installed: Installed, catalog: Ranges, api: string): string[] {
  const { bin = {}, engines = {}, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = installed;
  const imported = Object.entries(dependencies).filter(([name]) => new RegExp(` from '${name}['/]`).test(api));
  const lines = (ranges: Ranges, kind: (name: string) => string): string[] =>
    Object.entries(ranges).map(
      ([name, range]) => `${kind(name)} ${name}: ${range === 'catalog:' ? catalog[name] : range}`,
    );
  return [
    ...lines(bin, () => 'command'),
    ...lines(engines, () => 'engine'),
    ...lines(Object.fromEntries(imported), () => 'dependency'),
    ...lines(peerDependencies, (name) => (peerDependenciesMeta[name]?.optional ? 'optional peer' : 'peer')),
  ];
}

/** What exported models accept beyond their types: a line of JSON Schema for each model and field, such as `Person.id`. */
export function modelLines(modules: readonly object[]): string[] {
  const exported = modules.flatMap((module) => Object.entries(module) as [string, unknown][]);
  const names = new Map(exported.map(([name, value]) => [value, name]));
  const lines = new Map(exported.flatMap(([name, value]) => linesOf(name, value, names)));
  const fields = [...lines.keys()].toSorted();
  return fields.map((field) => `${field}: ${lines.get(field)}`);
}

function withoutAnnotations({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const word of ANNOTATIONS) delete jsonSchema[word];
}

function linesOf(name: string, value: unknown, names: ReadonlyMap<unknown, string>): [string, string][] {
  if (!(value instanceof z.ZodType)) {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return [];
    return Object.entries(value).flatMap(([key, entry]) => linesOf(`${name}.${key}`, entry, names));
  }
  const ownName = names.get(value) ?? name;
  if (ownName !== name) return [[name, ownName]];
  const schema = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any', override: withoutAnnotations });
  const { $schema: _, $defs, ...own } = schema;
  return Object.entries({ [name]: own, ...$defs }).flatMap(([model, one]) => {
    // The type says which fields a model has, and which are required.
    const { properties = {}, required: _required, additionalProperties: _others, ...rest } = one;
    const fields = Object.entries(properties).map(([key, field]) => [`${model}.${key}`, field] as const);
    return [[model, rest] as const, ...fields].map(([place, text]): [string, string] => [place, JSON.stringify(text)]);
  });
}

/** Whether a change of a term breaks programs or installations. One that is missing has no text. */
export function isBreaking(term: string, before: string | undefined, now: string | undefined): boolean {
  const [, kind] = /^(command|engine|peer|optional peer|dependency|values of) /.exec(term) ?? [];
  if (kind === 'command') return now === undefined;
  if (kind === 'engine' || kind === 'peer') return now !== undefined && !isWithin(before, now);
  if (before === undefined || now === undefined) return false;
  if (kind === 'optional peer') return !isWithin(before, now);
  if (kind === 'dependency') return !isWithin(now, before);
  // If a field of a model is new or removed, its type has changed.
  return kind === 'values of' && before !== now;
}

/** Whether a range has no version that another excludes. Ranges of our own packages are up to each release. */
function isWithin(range: string | undefined, other: string): boolean {
  if (range === other || other.startsWith('workspace:')) return true;
  return Boolean(range && validRange(range) && validRange(other)) && subset(range ?? '', other);
}
