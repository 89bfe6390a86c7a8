import { MagicString } from 'magic-string';
import { parseSync, Visitor } from 'oxc-parser';
import type { ClassElement, TSSignature } from 'oxc-parser';
import { isSealed } from './api.ts';
import type { Api, Entity, Export } from './api.ts';

/**
 * The types of a package, in a form in which "assignable to" means "compatible with".
 *
 * - A method becomes a property, as the compiler compares the parameters of methods in both directions.
 * - A unique symbol is the same in both versions, and a protected member is public.
 * - Users do not implement a sealed interface `X`, so where others mention it, it is always the same. `X$Members` has
 *   what is compared.
 * - `keyof X` may become more. It is limited to the released names.
 * - For a generic type `X` there are instances: `X$Instance` with its constraints, `X$Instances` with each literal that
 *   its only parameter allows.
 *
 * @param released - the module of the released types, unless these are they
 */
export function comparableTypes(
  { code, entities, exports }: Api,
  released?: { readonly api: Api; readonly module: string },
): string {
  const text = new MagicString(code.replaceAll(/\bconst ([\w$]+): unique symbol;/g, "const $1: 'unique symbol $1';"));
  const apart = Array.from(entities).flatMap(([name, entity]) => (isApart(entity) ? [name] : []));
  new Visitor({
    TSInterfaceDeclaration({ id }) {
      if (apart.includes(id.name)) text.appendLeft(id.end, '$Members');
    },
    TSTypeOperator({ operator, typeAnnotation, start, end }) {
      const name = text.original.slice(typeAnnotation.start, typeAnnotation.end).replace('typeof ', '');
      if (operator !== 'keyof' || !released?.api.entities.has(name)) return;
      const query = typeAnnotation.type === 'TSTypeQuery' ? 'typeof ' : '';
      text.appendLeft(start, 'Extract<').appendRight(end, `, keyof ${query}import('${released.module}').${name}>`);
    },
    TSInterfaceBody: ({ body }) => asProperties(body, text),
    TSTypeLiteral: ({ members }) => asProperties(members, text),
    ClassBody: ({ body }) => asProperties(body, text),
  }).visit(parseSync('api.d.ts', text.original).program);
  return [
    text.toString(),
    ...apart.map((name) => `export interface ${name} { 'made by the package': '${name}' }`),
    ...exports.flatMap((one) => comparedTypes(one, entities.get(one.local))),
    'interface $Any { any: 1 }\n',
  ].join('\n');
}

/** Whether a sealed interface is compared apart. One with type parameters has to show how it depends on them. */
export function isApart(entity: Entity): boolean {
  return isSealed(entity) && entity.typeParameters.length === 0;
}

type Member = ClassElement | TSSignature;

/** Turns each method into a property with its overloads, which are adjacent in a report. */
function asProperties(members: readonly Member[], text: MagicString): void {
  const keys = members.map((member) => keyOf(member, text.original));
  for (const [index, member] of members.entries()) {
    if ('accessibility' in member && member.accessibility === 'protected') {
      const start = text.original.indexOf('protected', member.start);
      text.remove(start, start + 'protected'.length);
    }
    const key = keys[index];
    if (!key) continue;
    if (key.name === keys[index - 1]?.name) text.remove(member.start, key.end);
    else text.appendLeft(key.end, ': {');
    if (key.name !== keys[index + 1]?.name) text.appendLeft(member.end, ' }');
  }
}

/** The name of a method, and where it ends. */
function keyOf(member: Member, code: string): { readonly name: string; readonly end: number } | undefined {
  if (!('kind' in member) || member.kind !== 'method') return undefined;
  const end = (member.computed ? code.indexOf(']', member.key.end) + 1 : member.key.end) + (member.optional ? 1 : 0);
  return { name: code.slice(member.start, end), end };
}

/** What is compared of an export besides its type. It has the name of the export, as that of a declaration can change. */
function comparedTypes({ namespace, name, local }: Export, entity: Entity | undefined): string[] {
  if (!entity || !(entity.kinds.has('TSInterfaceDeclaration') || entity.kinds.has('TSTypeAliasDeclaration'))) return [];
  if (isApart(entity)) return [`export type ${namespace}$${name}$Members = ${local}$Members;`];
  const { typeParameters } = entity;
  const [first, ...others] = typeParameters;
  if (!first) return [];
  const instance = `${local}<${typeParameters.map((one) => one.name).join(', ')}>`;
  const defaults = typeParameters.map(({ name: parameter, constraint }) =>
    constraint === undefined ? `${parameter} = $Any` : `${parameter} extends ${constraint} = ${constraint}`,
  );
  const literals = others.length > 0 ? 'never' : `Extract<${first.constraint ?? 'never'}, string>`;
  const each = others.length > 0 ? first.name : instance;
  return [
    `export interface ${namespace}$${name}$Instance<${defaults.join(', ')}> { of: ${instance} }`,
    `export type ${namespace}$${name}$Instances = { [${first.name} in ${literals}]: ${each} };`,
  ];
}
