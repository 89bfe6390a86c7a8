import { isSealed, reachable } from './api.ts';
import type { Api, Entity, Export } from './api.ts';
import { isApart } from './comparable-types.ts';

/** What users can do with an export, as a line of TypeScript: `before` has the released types, `now` has others. */
export interface Use {
  readonly of: Export;
  readonly code: string;
}

/**
 * What the lines of uses import. `Removed` has the members and parameters that a type no longer has, such as
 * `.persons.list.1`: the compiler takes a value with an unknown member, unless a literal makes it.
 */
export const TOOLS = `
type Leaf = string | number | boolean | bigint | symbol | null | undefined | Date | URL | RegExp | AbortSignal | Request |
  Response | Error | Uint8Array | { _zod: unknown };
type Less = [never, 0, 1, 2];
type Paths<T, Depth extends number> = [Depth] extends [never] ? never
  : 0 extends 1 & T ? never
  : T extends Leaf ? never
  : T extends (...input: infer Input) => infer Output
    ? Paths<Required<Input>, Depth> | Paths<Awaited<Output>, Less[Depth]>
  : T extends readonly unknown[]
    ? number extends T['length'] ? Paths<T[number], Depth> : In<T, keyof T & \`\${number}\`, Depth>
  : In<T, keyof T & (string | number), Depth>;
type In<T, Keys extends keyof T & (string | number), Depth extends number> = {
  [Key in Keys]-?: \`.\${Key}\` | \`.\${Key}\${Paths<Exclude<T[Key], undefined>, Less[Depth]>}\`;
}[Keys];
export type Removed<Before, Now> = Exclude<Paths<Before, 3>, Paths<Now, 3>>;
`;

type Type = (side: 'before' | 'now') => string;

const use = (expected: string, actual: string): string => `{ const use: ${expected} = a<${actual}>(); }`;
const taken = (type: Type): string => use(type('before'), type('now'));
const given = (type: Type): string => use(type('now'), type('before'));
const kept = (type: Type): string => use('never', `Removed<${type('before')}, ${type('now')}>`);

/**
 * The uses of all that a package exports.
 *
 * - To take a value from the package, the type of now must be assignable to the released one.
 * - To give one to it, the released type must be assignable to that of now.
 *
 * The functions and classes of the package say which types are taken and which are given, and the compiler follows each
 * type through them. A type that they do not mention can be both, and so can a model.
 */
export function usesOf(api: Api): Use[] {
  const roots = Array.from(api.entities.values()).filter((entity) => isValue(entity) || isSealed(entity));
  const reached = reachable(
    roots.flatMap(({ mentions }) => [...mentions]),
    api,
  );
  return api.exports.flatMap((of) => {
    const entity = api.entities.get(of.local);
    return entity ? codesOf(of, entity, reached).map((code) => ({ of, code })) : [];
  });
}

function isValue({ kinds }: Entity): boolean {
  return ['VariableDeclaration', 'TSDeclareFunction', 'ClassDeclaration'].some((kind) => kinds.has(kind));
}

function codesOf(
  { namespace, name, local, isTypeOnly }: Export,
  entity: Entity,
  reached: ReadonlySet<string>,
): string[] {
  const { kinds, operator, typeParameters } = entity;
  const type: Type = (side) => `${side}.${namespace}.${name}`;
  const value: Type = (side) => `typeof ${type(side)}`;
  const isClass = kinds.has('ClassDeclaration');
  const codes = isTypeOnly ? [] : [`{ const use: ${value('before')} = ${type('now')}; }`, kept(value)];
  if (isClass && !isTypeOnly) return [...codes, given((side) => `ConstructorParameters<${value(side)}>`)];
  if (isClass) return [taken(type), kept(type)];
  if (!kinds.has('TSInterfaceDeclaration') && !kinds.has('TSTypeAliasDeclaration')) return codes;
  if (operator === 'TSTypeOperator') return [given(type)];
  const compared: Type = (side) => `${side}.${namespace}$${name}`;
  const members: Type = (side) => `${compared(side)}$Members`;
  if (isApart(entity)) return [use(type('now'), type('now')), taken(members), kept(members)];
  const instance: Type = (side) => `${compared(side)}$Instance['of']`;
  // There may be more of them now.
  const instances: Type = (side) => `Pick<${compared(side)}$Instances, keyof ${compared('before')}$Instances>`;
  const types = typeParameters.length > 0 ? [instance, instances] : [];
  if (typeParameters.every(({ hasDefault }) => hasDefault)) types.push(type);
  codes.push(...types.slice(0, 1).map(kept));
  if (reached.has(local) && isTypeOnly) return codes;
  const isTaken = isSealed(entity) || operator === 'TSTypeQuery';
  return [...codes, ...types.flatMap((one) => (isTaken ? [taken(one)] : [taken(one), given(one)]))];
}
