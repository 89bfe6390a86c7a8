// oxlint-disable eslint/no-underscore-dangle -- where zod keeps what a model is made of
import { z } from 'zod';
import { isStated } from '../src/lenient.ts';
import { modelId } from '../src/model-id.ts';
import type { Operation } from '../src/operations.ts';
import { Person } from '../src/person.ts';
import { ruleOf } from '../src/rule.ts';

/**
 * Writes the checks of all requests and responses of the operation table as flat code without zod. A request is checked
 * against every bound, and copied. A response is checked as by `lenient`.
 *
 * Each function adds issues with the path from its value; its caller puts the path to that value before it, and only if
 * there are issues.
 *
 * @throws if a model has a type or a check that is not known here.
 */
export function generateChecks(operations: Readonly<Record<string, Operation>>): string {
  /** The name of each function, by its text from the parameters on: equal models share one. */
  const functions = new Map<string, string>();
  /** The statements of each field of a function that has no rules, by its name. */
  const extensible = new Map<string, readonly string[]>();
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
import { MAX_ISSUES, below, isInteger, isObject, isSound, notAllowed, outOfRange, report, unknownNames, wrongType, type ReportedIssue } from '../issue-report.ts';
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
    const isCopy = mode === 'request';
    if (model.def.catchall?._zod.def.type !== 'never')
      throw new Error('An object is not strict: make it with z.strictObject().');
    const fields = Object.entries(model.shape).map(([field, fieldModel]) => {
      const statements = checkOfField(fieldModel, `'${field}'`, mode, isCopy ? `copy.${field}` : undefined);
      return `value = object.${field};\n${statements}`;
    });
    const rules = model.def.checks ?? [];
    // A change has the fields of what changed, and marks of its own.
    const baseName = `check${modelId(model)?.replace(/Delta$/, '')}`;
    const base = isCopy ? undefined : extensible.get(baseName);
    if (base && base.length < fields.length && base.every((statements, at) => statements === fields[at])) {
      fields.splice(0, base.length, `${baseName}(object, issues);\n`);
    }
    const body = [
      `(object: any, issues: ReportedIssue[]): ${isCopy ? 'any' : 'void'} {\n`,
      `if (!isObject(object)) {\nwrongType(issues, 'object');\nreturn${isCopy ? ' undefined' : ''};\n}\n`,
      rules.length > 0 ? 'const before = issues.length;\n' : '',
      isCopy ? 'const copy: any = {};\n' : '',
      fields.some((statements) => statements.startsWith('value')) ? 'let value;\n' : '',
      ...fields,
      isCopy ? `unknownNames(issues, object, ${JSON.stringify(Object.keys(model.shape))});\n` : '',
      rules.length > 0 ? `if (!isSound(issues, before)) return${isCopy ? ' undefined' : ''};\n` : '',
      ...rules.map((check) => `report(issues, ${callOfRule(check, isCopy ? 'copy' : 'object')});\n`),
      isCopy ? 'return copy;\n' : '',
      '}\n',
    ];
    const text = body.join('');
    const name = functions.get(text) ?? (isCopy ? 'copy' : 'check') + (modelId(model) ?? fallback);
    functions.set(text, name);
    if (!isCopy && rules.length === 0) extensible.set(name, fields);
    return name;
  }

  /** Statements that check `value`, which stands at `key`. A copy of an object or an array goes to `copy`. */
  function checkOfField(field: z.core.$ZodType, key: string, mode: Mode, copy?: string): string {
    let model = field;
    const gaps = new Set<string>();
    while (model instanceof z.ZodOptional || model instanceof z.ZodNullable) {
      if (model instanceof z.ZodOptional || mode === 'response') gaps.add('value !== undefined');
      if (model instanceof z.ZodNullable || mode === 'response') gaps.add('value !== null');
      model = model.unwrap();
    }
    const check = `${copy ? `${copy} = value;\n` : ''}${checkOfType(model as z.ZodType, key, mode, copy)}`;
    return gaps.size === 0 ? check : `if (${[...gaps].join(' && ')}) {\n${check}}\n`;
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
for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
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

type Mode = 'request' | 'response';

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
