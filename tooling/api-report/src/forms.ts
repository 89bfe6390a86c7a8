import { isSealed, reachable } from './api.ts';
import type { Api, Export } from './api.ts';

/** A type that shows what users can do with an export. */
export interface Form {
  readonly name: string;
  /** Its declaration after the name. */
  readonly type: string;
  /** Users take values of it from the package, give values of it to the package, or do both. */
  readonly flow: 'taken' | 'given' | 'both' | 'as functions say';
  /** The export; with arguments, if it has type parameters. */
  readonly instances: readonly string[];
  /** What it shows, for a reader. */
  readonly place: string;
  /** The declarations that it shows. */
  readonly names: readonly string[];
}

/**
 * The forms of all that a package exports, by the names of the exports, as those of declarations can change.
 *
 * The functions and classes of the package say which types are taken and which are given, and the compiler follows each
 * type through them. A type that they do not mention can be both, and so can a model.
 */
export function formsOf(api: Api): Form[] {
  const values = new Set(['VariableDeclaration', 'TSDeclareFunction', 'ClassDeclaration']);
  const roots = Array.from(api.entities.values()).filter(
    (entity) => isSealed(entity) || entity.nodes.some(({ type }) => values.has(type)),
  );
  const mentioned = roots.flatMap(({ mentions }) => mentions);
  const reached = reachable(mentioned, api);
  return api.exports.flatMap((one) => {
    const { namespace, name, local, isTypeOnly } = one;
    return exportForms(api, one, reached.has(local) && isTypeOnly).map(([suffix, type, flow, instances = []]) => ({
      name: `${namespace}$${name}${suffix}`,
      type,
      flow,
      instances: instances.map((parameters) => `${namespace}.${name}<${parameters}>`),
      place: `${name} of @${namespace.replaceAll('_', '/')}`,
      names: [local, namespace],
    }));
  });
}

type Part = readonly [suffix: string, type: string, flow: Form['flow'], instances?: readonly string[]];

function exportForms({ entities, code }: Api, { local, isTypeOnly }: Export, isReached: boolean): Part[] {
  const entity = entities.get(local);
  const node = entity?.nodes.find((one) => 'typeParameters' in one && one.type !== 'TSDeclareFunction');
  const parts: Part[] = isTypeOnly ? [] : [['$Value', ` = typeof ${local}`, 'taken']];
  const isClass = node?.type === 'ClassDeclaration';
  if (isClass && !isTypeOnly) parts.push(['$Input', ` = ConstructorParameters<typeof ${local}>`, 'given']);
  // What comes from another package has no declaration.
  if (!node && (entity || !isTypeOnly)) return parts;
  const isOfValue = node?.type === 'TSTypeAliasDeclaration' && node.typeAnnotation.type === 'TSTypeQuery';
  const isMade = isClass || (entity && isSealed(entity));
  const flow = isMade || (isOfValue && !isReached) ? 'taken' : isReached ? 'as functions say' : 'both';
  const parameters = (node && 'typeParameters' in node && node.typeParameters?.params) || [];
  if (parameters.length === 0)
    return [...parts, ['', ` = ${local}${entity && isSealed(entity) && !isClass ? '$Members' : ''}`, flow]];
  // An instance with the constraints, and one with each literal that the only parameter allows.
  const declared = parameters.map(({ name: { name }, constraint }) => {
    const limit = constraint && code.slice(constraint.start, constraint.end);
    return { name, limit, text: limit ? `${name} extends ${limit} = ${limit}` : `${name} = $Any` };
  });
  const instance = `${local}<${declared.map(({ name }) => name).join(', ')}>`;
  const required = parameters.filter((one) => !one.default);
  const instances = [required, parameters].map((some) => some.map(() => 'any').join(', ')).filter(Boolean);
  parts.push(['', `<${declared.map(({ text }) => text).join(', ')}> = ${instance}`, flow, instances]);
  const [{ name, limit } = {}, ...others] = declared;
  if (limit && others.length === 0)
    parts.push(['$Each', ` = { [${name} in Extract<${limit}, string>]: ${instance} }`, isReached ? flow : 'taken']);
  if (required.length === 0) parts.push(['$Default', ` = ${local}`, flow]);
  return parts;
}
