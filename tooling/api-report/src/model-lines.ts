import { z } from 'zod';

/** Keywords of JSON Schema that restrict nothing. */
const ANNOTATIONS = ['deprecated', 'description', 'examples', 'id', 'section', 'title', 'x-extension'];

function withoutAnnotations({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const word of ANNOTATIONS) delete jsonSchema[word];
}

/** What exported models accept beyond their types: a line of JSON Schema for each model and field, such as `Person.id`. */
export function modelLines(modules: readonly object[]): string[] {
  const exported = modules.flatMap((module) => Object.entries(module) as [string, unknown][]);
  const names = new Map(exported.map(([name, value]) => [value, name]));
  const lines = new Map(exported.flatMap(([name, value]) => linesOf(name, value, names)));
  const sorted = Array.from(lines).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([field, accepted]) => `${field}: ${accepted}`);
}

function linesOf(name: string, value: unknown, names: ReadonlyMap<unknown, string>): [string, string][] {
  if (!(value instanceof z.ZodType)) {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return [];
    return Object.entries(value).flatMap(([key, entry]) => linesOf(`${name}.${key}`, entry, names));
  }
  const ownName = names.get(value) ?? name;
  if (ownName !== name) return [[name, ownName]];
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(value, { io: 'input', unrepresentable: 'any', override: withoutAnnotations });
  return Object.entries({ [name]: schema, ...$defs }).flatMap(([model, one]) => {
    // The type says which fields a model has, and which are required.
    const { properties = {}, required: _required, additionalProperties: _others, ...rest } = one;
    const fields = Object.entries(properties).map(([key, field]) => [`${model}.${key}`, field] as const);
    return [[model, rest] as const, ...fields].map(([place, text]): [string, string] => [place, JSON.stringify(text)]);
  });
}
