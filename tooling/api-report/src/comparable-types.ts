import { MagicString } from 'magic-string';
import { parseSync, Visitor, type ClassElement, type TSSignature } from 'oxc-parser';
import { isSealed, reachable, type Api, type Export } from './api.ts';

/**
 * The types of a package, in a form in which "assignable to" means "compatible with".
 *
 * - A method becomes a property, as the compiler compares the parameters of methods in both directions.
 * - A unique symbol is the same in both versions.
 * - Users do not implement a sealed interface, so where others mention it, it is always the same.
 * - `keyof X` may become more. It is limited to the released names.
 *
 * @param released - the module of the released types, unless these are they
 */
export function comparableTypes(api: Api, released?: { readonly api: Api; readonly module: string }): string {
  const forms = formsOf(api).map(({ name, type }) => `export type ${name}${type};`);
  const all = [api.code, ...forms].join('\n');
  const code = all.replaceAll(/\bconst ([\w$]+): unique symbol;/g, "const $1: 'unique symbol $1';");
  const text = new MagicString(code);
  const sealed: string[] = [];
  const { program } = parseSync('api.d.ts', code);
  new Visitor({
    TSInterfaceDeclaration({ id, typeParameters }) {
      const entity = api.entities.get(id.name);
      // One with type parameters has to show how it depends on them.
      if (!entity || !isSealed(entity) || typeParameters) return;
      text.appendLeft(id.end, '$Members');
      sealed.push(`interface ${id.name} { 'made by the package': '${id.name}' }`);
    },
    TSTypeOperator({ operator, typeAnnotation, start, end }) {
      const name = code.slice(typeAnnotation.start, typeAnnotation.end).replace('typeof ', '');
      if (operator !== 'keyof' || !released?.api.entities.has(name)) return;
      const query = typeAnnotation.type === 'TSTypeQuery' ? 'typeof ' : '';
      text.appendLeft(start, 'Extract<').appendRight(end, `, keyof ${query}import('${released.module}').${name}>`);
    },
    TSInterfaceBody: ({ body }) => asProperties(body, text),
    TSTypeLiteral: ({ members }) => asProperties(members, text),
    ClassBody: ({ body }) => asProperties(body, text),
  }).visit(program);
  return [text.toString(), ...sealed, 'interface $Any { any: 1 }\n'].join('\n');
}

/** Turns each method into a property with its overloads, which are adjacent in a report. */
function asProperties(members: readonly (ClassElement | TSSignature)[], text: MagicString): void {
  const keys = members.map((member) => {
    if (!('kind' in member) || member.kind !== 'method') return undefined;
    const { end } = member.key;
    const key = /^\]?\??/.exec(text.original.slice(end))?.[0] ?? '';
    return { name: text.original.slice(member.start, end), end: end + key.length };
  });
  for (const [index, { start, end }] of members.entries()) {
    const key = keys[index];
    if (!key) continue;
    if (key.name === keys[index - 1]?.name) text.remove(start, key.end);
    else text.appendLeft(start, 'readonly ').appendLeft(key.end, ': {');
    if (key.name !== keys[index + 1]?.name) text.appendLeft(end, ' }');
  }
}

const VALUES = new Set(['VariableDeclaration', 'TSDeclareFunction', 'ClassDeclaration']);

/** A type that shows what users can do with an export. */
export interface Form {
  readonly of: Export;
  readonly name: string;
  /** Its declaration after the name. */
  readonly type: string;
  /** Users take values of it from the package, give values of it to the package, or do both. */
  readonly flow: 'taken' | 'given' | 'both' | 'as functions say';
  /** The arguments that the export must take, if it has type parameters. */
  readonly inputs?: readonly string[];
}

/**
 * The forms of all that a package exports, by the names of the exports, as those of declarations can change.
 *
 * The functions and classes of the package say which types are taken and which are given, and the compiler follows each
 * type through them. A type that they do not mention can be both, and so can a model.
 */
export function formsOf(api: Api): Form[] {
  const roots = Array.from(api.entities.values()).filter(
    (entity) => isSealed(entity) || entity.nodes.some(({ type }) => VALUES.has(type)),
  );
  const mentioned = roots.flatMap(({ mentions }) => mentions);
  const reached = reachable(mentioned, api);
  return api.exports.flatMap((one) => exportForms(api, one, reached.has(one.local) && one.isTypeOnly));
}

function exportForms({ entities, code }: Api, of: Export, isReached: boolean): Form[] {
  const { local, isTypeOnly } = of;
  const forms: Form[] = [];
  const add = (suffix: string, type: string, flow: Form['flow'], inputs: readonly string[] = []): unknown =>
    forms.push({ of, name: `${of.namespace}$${of.name}${suffix}`, type, flow, inputs });
  const entity = entities.get(local);
  const node = entity?.nodes.find((one) => 'typeParameters' in one && one.type !== 'TSDeclareFunction');
  const isClass = node?.type === 'ClassDeclaration';
  const isOfValue = node?.type === 'TSTypeAliasDeclaration' && node.typeAnnotation.type === 'TSTypeQuery';
  const isMade = isClass || (entity && isSealed(entity));
  // A type that others index, as in `ResponseTypes[Id]`, is a table, which may have more rows.
  const isTable = isOfValue || new RegExp(`\\b${local}\\[\\w`).test(code);
  const flow = isMade || (isTable && !isReached) ? 'taken' : isReached ? 'as functions say' : 'both';
  if (!isTypeOnly) add('$Value', ` = typeof ${local}`, 'taken');
  if (!isTypeOnly && isClass) add('$Input', ` = ConstructorParameters<typeof ${local}>`, 'given');
  const parameters = (node && 'typeParameters' in node && node.typeParameters?.params) || [];
  // What comes from another package has no declaration.
  if (parameters.length === 0 && (node || (!entity && isTypeOnly)))
    add('', ` = ${local}${isMade && node?.type === 'TSInterfaceDeclaration' ? '$Members' : ''}`, flow);
  if (parameters.length === 0) return forms;
  // An instance with the constraints, and one with each literal that the only parameter allows.
  const names = parameters.map(({ name }) => name.name);
  const limits = parameters.map(({ constraint }) => constraint && code.slice(constraint.start, constraint.end));
  const declared = names.map((name, at) =>
    limits[at] ? `${name} extends ${limits[at]} = ${limits[at]}` : `${name} = $Any`,
  );
  const instance = `${local}<${names.join(', ')}>`;
  const required = parameters.filter((one) => !one.default);
  const inputs = [required, parameters].map((some) => some.map(() => 'any').join(', ')).filter(Boolean);
  add('', `<${declared.join(', ')}> = ${instance}`, flow, inputs);
  const each = `{ [${names[0]} in Extract<${limits[0]}, string>]: ${instance} }`;
  if (limits[0] && names.length === 1) add('$Each', ` = ${each}`, isReached ? flow : 'taken');
  if (required.length === 0) add('$Default', ` = ${local}`, flow);
  return forms;
}
