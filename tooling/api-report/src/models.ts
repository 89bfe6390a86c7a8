import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Section } from './section.ts';

/** What the models of an entry point hold data to, which their types do not say. */
export interface Models {
  /** What users write to import them. */
  readonly specifier: string;
  /** For each model and field, such as `Person.jobTitle`, its JSON Schema in a line. */
  readonly lines: ReadonlyMap<string, string>;
}

const MODEL = /^export const [^]*\bZod[A-Z]/m;
/** What data is not held to. */
const WORDS = ['deprecated', 'description', 'examples', 'id', 'title'];

/** The models that an entry point exports, alone or within a table; nothing where there is none. */
export async function modelsOf({ specifier, entities }: Section, module: string): Promise<Models[]> {
  if (!entities.some(({ blocks }) => blocks.some((block) => MODEL.test(block)))) return [];
  const exported = Object.entries((await import(pathToFileURL(module).href)) as Record<string, unknown>);
  const names = new Map(exported.map(([name, value]) => [value, name]));
  const lines = new Map(exported.flatMap(([name, value]) => linesOf(name, value, names)));
  return [{ specifier, lines: new Map(Array.from(lines).toSorted(([one], [other]) => (one < other ? -1 : 1))) }];
}

function linesOf(name: string, value: unknown, names: ReadonlyMap<unknown, string>): [string, string][] {
  if (!(value instanceof z.ZodType)) {
    if (!isTable(value)) return [];
    return Object.entries(value).flatMap(([key, entry]) => linesOf(`${name}.${key}`, entry, names));
  }
  const ownName = names.get(value) ?? name;
  if (ownName !== name) return [[name, ownName]];
  const {
    $schema: _schema,
    $defs = {},
    ...schema
  } = z.toJSONSchema(value, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      for (const word of WORDS) delete jsonSchema[word];
    },
  });
  return Object.entries({ [name]: schema, ...$defs }).flatMap(([place, one]) => fieldsOf(place, one));
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Which fields there are, and which are needed, is said by the type. */
function fieldsOf(name: string, schema: z.core.JSONSchema.BaseSchema): [string, string][] {
  const { properties = {}, required: _required, additionalProperties: _others, ...rest } = schema;
  return [
    [name, JSON.stringify(rest)],
    ...Object.entries(properties).map(([key, field]): [string, string] => [`${name}.${key}`, JSON.stringify(field)]),
  ];
}
