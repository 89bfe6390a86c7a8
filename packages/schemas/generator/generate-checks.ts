// oxlint-disable eslint/no-underscore-dangle -- where zod keeps what a model is made of
import { z } from 'zod';
import { isStated } from '../src/lenient.ts';
import { modelId } from '../src/model.ts';
import type { Operation } from '../src/operations.ts';
import { Person } from '../src/person.ts';
import { ruleOf } from '../src/rule.ts';

/**
 * Writes the checks of all requests and responses of the operation table as flat code without zod. A request is checked
 * against every bound, and copied. A response is checked as by `lenient`.
 *
 * The check of a response goes through the names that an object has: its work is bounded by the size of the object. To
 * read each field of the model by name takes V8 a microsecond a field if each object has other names.
 *
 * Each function adds issues with the path from its value; its caller puts the path to that value before it, and only if
 * there are issues.
 *
 * @throws if a model has a type or a check that is not known here.
 */
export function generateChecks(operations: Readonly<Record<string, Operation>>): string {
  /** The name of each function, by its text from the parameters on: equal models share one. */
  const functions = new Map<string, string>();
  /** The statements for each field of a response without rules, by the name of its function. */
  const extensible = new Map<string, ReadonlyMap<string, string>>();
  const patterns = new Map<string, string>();
  const imported = new Set<string>();
  const tables = [
    table('pathChecks', 'request', ({ pathParameters }) => pathParameters),
    table('queryChecks', 'request', ({ query }) => query),
    table('bodyChecks', 'request', ({ body }) => body),
    table('responseChecks', 'response', ({ response }) => response),
    table('changeChecks', 'response', ({ delta }) => delta),
  ];
  return `// Written from the models by the tests: change these, then run \`pnpm --filter @hr/schemas test -u\`.
// oxlint-disable typescript/no-explicit-any, eslint/no-shadow, eslint/prefer-const
import { below, fieldOf, isInteger, isObject, isSound, notAllowed, outOfRange, report, unknownNames, wrongType, type IssueList } from '../issue-report.ts';
import { ${[...imported].toSorted().join(', ')} } from '../value-rules.ts';

${[...patterns].map(([source, name]) => `const ${name} = ${source};\n`).join('')}
${[...functions].map(([text, name]) => `function ${name}${text}\n`).join('')}${tables.join('\n')}
/** The fields of a person, in the order of the specification. */
export const personFields = ${JSON.stringify(Object.keys(Person.shape))} as const;
`;

  function table(name: string, mode: Mode, modelOf: (operation: Operation) => z.ZodType | undefined): string {
    const entries = Object.entries(operations).flatMap(([id, operation]) => {
      const model = modelOf(operation);
      const part = capital(name.replace('Checks', ''));
      return model ? [`${id}: ${functionOf(model as z.ZodObject, mode, capital(id) + part)},\n`] : [];
    });
    return `export const ${name} = {\n${entries.join('')}};\n`;
  }

  function functionOf(model: z.ZodObject, mode: Mode, fallback = ''): string {
    if (model.def.catchall?._zod.def.type !== 'never')
      throw new Error('An object is not strict: make it with z.strictObject().');
    return mode === 'request' ? copyOf(model, fallback) : checkOf(model);
  }

  function copyOf(model: z.ZodObject, fallback: string): string {
    const fields = Object.entries(model.shape).map(
      ([field, fieldModel]) =>
        `value = object.${field};\n${checkOfField(fieldModel, `'${field}'`, 'request', `copy.${field}`)}`,
    );
    const rules = model.def.checks ?? [];
    const body = [
      `(object: any, issues: IssueList): any {\n`,
      `if (!isObject(object)) {\nwrongType(issues, 'object');\nreturn undefined;\n}\n`,
      rules.length > 0 ? 'const before = issues.length;\n' : '',
      'const copy: any = {};\n',
      fields.length > 0 ? 'let value;\n' : '',
      ...fields,
      `unknownNames(issues, object, ${JSON.stringify(Object.keys(model.shape))});\n`,
      rules.length > 0 ? 'if (!isSound(issues, before)) return undefined;\n' : '',
      ...rules.map((check) => `report(issues, ${callOfRule(check, 'copy')});\n`),
      'return copy;\n}\n',
    ];
    return named(body.join(''), `copy${modelId(model) ?? fallback}`);
  }

  function checkOf(model: z.ZodObject): string {
    const required = new Map<string, string>();
    const optional = new Map<string, string>();
    for (const [field, fieldModel] of Object.entries(model.shape)) {
      const { present, isOptional } = unwrapped(fieldModel);
      if (isOptional) optional.set(field, checkOfType(present, 'key', 'response'));
      else required.set(field, checkOfType(present, `'${field}'`, 'response'));
    }
    const name = `check${modelId(model)}`;
    const rules = model.def.checks ?? [];
    // A change has the fields of what changed, and marks of its own.
    const baseName = name.replace(/Delta$/, '');
    const base = name === baseName ? undefined : extensible.get(baseName);
    const isExtension =
      base && [...base].every(([field, check]) => (required.get(field) ?? optional.get(field)) === check);
    if (rules.length === 0) extensible.set(name, new Map([...required, ...optional]));
    for (const field of isExtension ? base.keys() : []) {
      required.delete(field);
      optional.delete(field);
    }
    const body = [
      `(object: any, issues: IssueList): void {\n`,
      isExtension
        ? `${baseName}(object, issues);\nif (!isObject(object)) return;\n`
        : `if (!isObject(object)) {\nwrongType(issues, 'object');\nreturn;\n}\n`,
      rules.length > 0 ? 'const before = issues.length;\n' : '',
      required.size > 0 ? 'let value;\n' : '',
      ...[...required].map(([field, check]) => `value = fieldOf(object, '${field}');\n${check}`),
      optional.size > 0 ? loopOver(optional) : '',
      rules.length > 0 ? 'if (!isSound(issues, before)) return;\n' : '',
      ...rules.map((check) => `report(issues, ${callOfRule(check, 'object')});\n`),
      '}\n',
    ];
    return named(body.join(''), name);
  }

  function named(text: string, name: string): string {
    const known = functions.get(text) ?? name;
    functions.set(text, known);
    return known;
  }

  /** Statements that check `value`, which stands at `key`. A copy of an object or an array goes to `copy`. */
  function checkOfField(field: z.core.$ZodType, key: string, mode: Mode, copy?: string): string {
    const { present, gaps } = unwrapped(field);
    const check = `${copy ? `${copy} = value;\n` : ''}${checkOfType(present, key, mode, copy)}`;
    return gaps.length === 0 ? check : `if (${gaps.join(' && ')}) {\n${check}}\n`;
  }

  function checkOfType(model: z.ZodType, key: string, mode: Mode, copy?: string): string {
    const isComposed = model instanceof z.ZodArray || model instanceof z.ZodEnum || model instanceof z.ZodLiteral;
    if (isComposed && model.def.checks?.length) throw new Error(`Unknown check at ${key}: teach it to the generator.`);
    if (model instanceof z.ZodObject) {
      const call = `${functionOf(model, mode, '')}(value, issues)`;
      return `const start = issues.length;\n${copy ? `${copy} = ` : ''}${call};\nbelow(issues, start, ${key});\n`;
    }
    if (model instanceof z.ZodArray) {
      const check = checkOfField(model.element, 'index', mode, copy && 'elements[index]');
      return `if (Array.isArray(value)) {
const start = issues.length;
${copy ? `const elements = (${copy} = [...value])` : 'const elements = value'};
for (let index = 0; index < elements.length && !issues.isDone; index++) {
const value = elements[index];
${check}}
below(issues, start, ${key});
} else wrongType(issues, 'array', ${key});
`;
    }
    if (model instanceof z.ZodEnum || model instanceof z.ZodLiteral) {
      const values = model instanceof z.ZodEnum ? model.options : [...model.values];
      const isOther = values.map((value) => `value !== ${JSON.stringify(value)}`).join(' && ');
      return `if (${isOther}) notAllowed(issues, value, ${JSON.stringify(values)}, ${key});\n`;
    }
    const checks = (model.def.checks ?? [])
      .filter((check) => mode === 'request' || isStated(check))
      .map((check) => checkOfBound(check, key))
      .join('');
    const type = model.type === 'number' && (model as z.ZodNumber).isInt ? 'int' : model.type;
    const [is, isNot] = types[type] ?? [];
    if (is === undefined) throw new Error(`Unknown type ${type} at ${key}: teach it to the generator.`);
    if (type === 'int') return `if (${is} || isInteger(issues, value, ${key})) {\n${checks}}\n`;
    const wrong = `wrongType(issues, '${type}', ${key});\n`;
    return checks === '' ? `if (${isNot}) ${wrong}` : `if (${is}) {\n${checks}} else ${wrong}`;
  }

  function checkOfBound(check: z.core.$ZodCheck, key: string): string {
    if (ruleOf(check)) {
      const call = `report(issues, ${callOfRule(check, 'value')}, ${key});\n`;
      const { name, args } = ruleOf(check) as { name: string; args: readonly unknown[] };
      if (name !== 'bounded' || args[2] !== undefined) return call;
      // Most strings are well within their bounds, so most calls are not made.
      const [min, max] = args as [number, number];
      if (min > 0) return call;
      return Number.isFinite(max) ? `if (value.length > ${max}) ${call}` : '';
    }
    const { def } = (check as z.core.$ZodCheckLessThan | z.core.$ZodCheckGreaterThan | z.core.$ZodCheckNumberFormat)
      ._zod;
    if (def.check === 'number_format') return '';
    if ((def.check !== 'less_than' && def.check !== 'greater_than') || !def.inclusive) {
      throw new Error(`Unknown check at ${key}: make it with rule(), or teach it to the generator.`);
    }
    const bound = String(def.value);
    return def.check === 'less_than'
      ? `if (value > ${bound}) outOfRange(issues, 'too_big', ${bound}, ${key});\n`
      : `if (value < ${bound}) outOfRange(issues, 'too_small', ${bound}, ${key});\n`;
  }

  function callOfRule(check: object, value: string): string {
    const rule = ruleOf(check);
    if (!rule) throw new Error('Unknown check of an object: make it with rule().');
    imported.add(rule.name);
    const args = rule.args.filter((arg) => arg !== undefined).map((arg) => argument(arg));
    return `${rule.name}(${[value, ...args].join(', ')})`;
  }

  function argument(value: unknown): string {
    if (!(value instanceof RegExp)) return typeof value === 'number' ? String(value) : JSON.stringify(value);
    const source = String(value);
    if (!patterns.has(source)) patterns.set(source, `pattern${patterns.size + 1}`);
    return patterns.get(source) as string;
  }
}

/** Checks the fields that an object has. Fields with equal checks share one. */
function loopOver(fields: ReadonlyMap<string, string>): string {
  const cases = Map.groupBy(fields.keys(), (field) => fields.get(field) as string);
  const branches = [...cases].map(([check, names]) => {
    const labels = names.map((name) => `case '${name}':\n`).join('');
    return `${labels}{\n${check}break;\n}\n`;
  });
  return `for (const key in object) {
const value = object[key];
if (value === undefined || value === null) continue;
switch (key) {
${branches.join('')}}
}
`;
}

type Mode = 'request' | 'response';

/** The model of a value that is there, and the conditions that it is. */
function unwrapped(field: z.core.$ZodType): { present: z.ZodType; isOptional: boolean; gaps: readonly string[] } {
  let present = field;
  const gaps = new Set<string>();
  while (present instanceof z.ZodOptional || present instanceof z.ZodNullable) {
    gaps.add(present instanceof z.ZodOptional ? 'value !== undefined' : 'value !== null');
    present = present.unwrap();
  }
  return { present: present as z.ZodType, isOptional: gaps.size > 0, gaps: [...gaps] };
}

/** Conditions that a value has the type, and that it has not. An integer has three ways to be wrong. */
const types: Readonly<Record<string, readonly [string, string]>> = {
  string: ["typeof value === 'string'", "typeof value !== 'string'"],
  number: ['Number.isFinite(value)', '!Number.isFinite(value)'],
  int: ['Number.isSafeInteger(value)', ''],
  boolean: ["typeof value === 'boolean'", "typeof value !== 'boolean'"],
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
