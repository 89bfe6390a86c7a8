import { MagicString } from 'magic-string';
import { parseSync, Visitor } from 'oxc-parser';
import type { ClassElement, TSSignature } from 'oxc-parser';
import { isSealed } from './api.ts';
import type { Api } from './api.ts';
import { formsOf } from './forms.ts';

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
  const code = api.code.replaceAll(/\bconst ([\w$]+): unique symbol;/g, "const $1: 'unique symbol $1';");
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
  const forms = formsOf(api).map(({ name, type }) => `export type ${name}${type};`);
  return [text.toString(), ...sealed, ...forms, 'interface $Any { any: 1 }\n'].join('\n');
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
