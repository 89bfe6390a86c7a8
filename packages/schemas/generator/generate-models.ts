// oxlint-disable eslint/no-underscore-dangle -- where zod keeps what a model is made of
import { z } from 'zod';
import { isStated } from '../src/lenient.ts';
import * as schemas from '../src/index.ts';
import { modelId } from '../src/model.ts';
import { operations, type Operation } from '../src/operations.ts';
import { ruleOf } from '../src/rule.ts';

const header =
  '// Written from the models by the tests: change these, then run `pnpm --filter @hr/schemas test -u`.\n\n';

/** Writes the types of the models as interfaces: editors show their comments, and they need no zod. */
export function generateModels(): string {
  const { typeOf, membersOf, interfaces } = interfacesOf(false);
  for (const model of Object.values(schemas)) {
    if (model instanceof z.ZodObject && sectionOf(model) !== undefined) typeOf(model);
  }
  const types = Object.entries<Operation>(operations).map(
    ([id, { pathParameters, query, body, response, delta, section }]) => `${id}: {
path: ${membersOf(pathParameters, section)};
query: ${membersOf(query, section)};
body: ${body ? typeOf(body) : 'undefined'};
response: ${typeOf(response)};
change: ${delta ? typeOf(delta) : 'never'};
};\n`,
  );
  return `${header}import type { AtLeastOne, OneFilled } from '../rule-types.ts';

${[...interfaces.values()].join('\n')}
/** The types of each operation: parameters, body, response or element of its list, and element of its list of changes. */
export interface OperationTypes {
${types.join('')}}
`;
}

/** Writes the types of responses, as `Lenient` makes them of the models: editors show no comments of a mapped type. */
export function generateResponses(): string {
  const { typeOf, interfaces } = interfacesOf(true);
  const types = Object.entries<Operation>(operations).map(
    ([id, { response, delta }]) =>
      `${id}: { response: ${typeOf(response)}; change: ${delta ? typeOf(delta) : 'never'} };\n`,
  );
  return `${header}${[...interfaces.values()].join('\n')}
/** What a client reads of each operation: the response or an element of its list, and an element of its list of changes. */
export interface ResponseTypes {
${types.join('')}}
`;
}

function interfacesOf(isLenient: boolean) {
  const interfaces = new Map<string, string>();
  return { typeOf, membersOf, interfaces };

  function typeOf(model: z.core.$ZodType): string {
    if (model instanceof z.ZodOptional) {
      return typeOf(model.unwrap()).replace(/( \| null)?$/, isLenient ? ' | null | undefined' : '$1 | undefined');
    }
    if (model instanceof z.ZodNullable)
      return typeOf(model.unwrap()).replace(/( \| null)?( \| undefined)?$/, ' | null$2');
    if (model instanceof z.ZodArray) return `${parenthesized(typeOf(model.element))}[]`;
    if (model instanceof z.ZodEnum) return choice(model.options, isLenient);
    if (model instanceof z.ZodLiteral) return [...model.values].map((value) => JSON.stringify(value)).join(' | ');
    if (!(model instanceof z.ZodObject)) {
      const known = (metaOf(model)['examples'] ?? []) as readonly unknown[];
      return known.length > 0 ? choice(known, true) : (model as z.ZodType).def.type;
    }
    const id = modelId(model);
    if (id === undefined) throw new Error(`A model of ${Object.keys(model.shape).join(', ')} has no id: give it one.`);
    if (!interfaces.has(id)) {
      const section = sectionOf(model);
      if (section === undefined) throw new Error(`${id} has no section: give its meta one.`);
      interfaces.set(id, '');
      const about = comment(metaOf(named(model)).description ?? '', section);
      const rules = isLenient ? [] : typesOfRules(model);
      const text =
        rules.length === 0
          ? `${about}export interface ${id} ${membersOf(model, section)}\n`
          : `/** The fields of ${id}, without its rules over several of them. */\nexport interface ${id}Fields ${membersOf(model, section)}\n\n${about}export type ${id} = ${id}Fields & ${rules.join(' & ')};\n`;
      // Behind what it refers to.
      interfaces.delete(id);
      interfaces.set(id, text);
    }
    return id;
  }

  function membersOf(model: z.ZodObject, section: string): string {
    const fields = Object.entries(model.shape);
    if (fields.length === 0) return 'Record<string, never>';
    // A change has the fields of what changed.
    const base = Object.values(schemas).find(
      (other) => other instanceof z.ZodObject && `${modelId(other)}Delta` === modelId(model),
    ) as z.ZodObject | undefined;
    // The rule says the type, which the compiler shows only if it is the only one.
    const ruled = isLenient ? [] : argsOf(model, 'emptyBeside').flat();
    const members = fields.map(([name, field]) => {
      const { description, deprecated } = metaOf(field);
      const sentences = [description, ...boundsOf(field)].filter((sentence) => sentence !== undefined).join(' ');
      const place = (base && name in base.shape && sectionOf(base)) || section;
      return `${comment(sentences, place, deprecated)}${name}${isOptional(field) ? '?' : ''}: ${ruled.includes(name) ? 'unknown' : typeOf(field)};\n`;
    });
    return `{\n${members.join('')}}`;
  }
}

/** The types of the rules of a model over several fields. */
function typesOfRules(model: z.ZodObject): string[] {
  const besides = [...Map.groupBy(argsOf(model, 'emptyBeside'), ([filled]) => filled)].map(([filled, each]) => {
    const others = each.map(([, other]) => other);
    return `OneFilled<${choice([filled], false)}, ${choice(others, false)}>`;
  });
  const sets = argsOf(model, 'atLeastOne').map(([names]) => `AtLeastOne<${choice(names as string[], false)}>`);
  return [...besides, ...sets];
}

function argsOf(model: z.ZodObject, rule: string): (readonly unknown[])[] {
  const rules = (model.def.checks ?? []).flatMap((check) => ruleOf(check) ?? []);
  return rules.filter(({ name }) => name === rule).map(({ args }) => args);
}

const MAX_WIDTH = 110;

function comment(sentences: string, section: string, isDeprecated = false): string {
  // A linter quotes what follows the tag.
  if (isDeprecated) return `/**\n * See section ${section}.\n *\n * @deprecated ${sentences}\n */\n`;
  const text = sentences === '' ? `See section ${section}.` : sentences.replace(/\.?$/, ` (section ${section}).`);
  if (text.length <= MAX_WIDTH) return `/** ${text} */\n`;
  const lines = text.match(new RegExp(`.{1,${MAX_WIDTH}}(?:(?<!section) |$)`, 'g')) ?? [];
  return `/**\n${lines.map((part) => ` * ${part.trimEnd()}\n`).join('')} */\n`;
}

/** What holds of the values of a field, as sentences. */
function boundsOf(field: z.core.$ZodType): string[] {
  const model = inner(field);
  if (model instanceof z.ZodArray) return boundsOf(model.element).map((sentence) => `Each: ${lowerFirst(sentence)}`);
  const checks = ((model as z.ZodType).def.checks ?? []).filter((check) => isStated(check));
  return checks
    .flatMap((check) => {
      const { name, args } = ruleOf(check) ?? {};
      if (name === 'bounded') return textBounds(...(args as [number, number, RegExp?]));
      return (name !== undefined && formats[name]) || [];
    })
    .concat(integerBounds(checks));
}

const formats: Readonly<Record<string, string>> = {
  localDate: 'A date `YYYY-MM-DD`.',
  localDateTime: 'A local date and time `YYYY-MM-DDTHH:MM[:SS[.fraction]]`.',
  yearMonth: 'A month `YYYY-MM`.',
};

function textBounds(min: number, max: number, pattern?: RegExp): string[] {
  const length = min === max ? `${min}` : min === 0 ? `At most ${max}` : `${min} to ${max}`;
  return [
    ...(Number.isFinite(max) ? [`${length} characters.`] : []),
    ...(pattern ? [`Matches \`${pattern.source}\`.`] : []),
  ];
}

function integerBounds(checks: readonly z.core.$ZodCheck[]): string[] {
  const bound = (kind: string) =>
    checks.map((check) => check._zod.def as { check: string; value?: number }).find((def) => def.check === kind)?.value;
  const [min, max] = [bound('greater_than'), bound('less_than')];
  return min === undefined || max === undefined ? [] : [`${min} to ${max}.`];
}

function choice(values: readonly unknown[], isOpen: boolean): string {
  return [...values.map((value) => `'${String(value)}'`), ...(isOpen ? ['(string & {})'] : [])].join(' | ');
}

function metaOf(field: z.core.$ZodType): z.core.GlobalMeta {
  const own = z.globalRegistry.get(field) ?? {};
  const isWrapped = field instanceof z.ZodOptional || field instanceof z.ZodNullable;
  return isWrapped ? { ...metaOf(field.unwrap()), ...own } : own;
}

/** The model that has the id itself, instead of one that describes it for a field. */
function named(model: z.core.$ZodType): z.core.$ZodType {
  return z.globalRegistry.get(model)?.id === undefined && model._zod.parent ? named(model._zod.parent) : model;
}

function inner(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable ? inner(field.unwrap()) : field;
}

function isOptional(field: z.core.$ZodType): boolean {
  return field._zod.optin === 'optional';
}

function sectionOf(model: z.core.$ZodType): string | undefined {
  const { section } = z.globalRegistry.get(model) ?? {};
  return section === undefined && model._zod.parent ? sectionOf(model._zod.parent) : (section as string | undefined);
}

function parenthesized(type: string): string {
  return type.includes('|') ? `(${type})` : type;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
