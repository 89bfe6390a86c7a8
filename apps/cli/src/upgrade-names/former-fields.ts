import type ts from 'typescript-6';
import { CliError, exitCodes } from '../cli-error.ts';
import { currentNameIn, modelNames, modelsOfField } from './former-names.ts';
import { isOwn, type Project } from './open-project.ts';

/** A former field of a type. */
export interface FormerField {
  readonly former: string;
  readonly current: string;
  /** The name, where it is declared. */
  readonly declared: ts.Node;
}

/**
 * The former fields of an exported type, and of the types that it leads to.
 *
 * @throws {CliError} If the file does not export the type.
 */
export function formerFieldsOf(project: Project, file: string, name: string): FormerField[] {
  const { Alias, Type } = project.ts.SymbolFlags;
  const checker = project.program.getTypeChecker();
  const source = project.program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const types = (module ? checker.getExportsOfModule(module) : [])
    .map((each) => [each.name, each.flags & Alias ? checker.getAliasedSymbol(each) : each] as const)
    .filter(([, symbol]) => symbol.flags & Type)
    .map(([each, symbol]) => [each, fieldsIn(project, checker.getDeclaredTypeOfSymbol(symbol), each)] as const);
  const fields = new Map(types).get(name);
  if (fields) return fields;
  const having = types.filter(([, found]) => found.length > 0).map(([each]) => each);
  const remedy = having.length > 0 ? `Name one of these: ${having.join(', ')}` : 'None of its types has former names';
  throw new CliError(`--type: ${file} exports no type ${name}. ${remedy}.`, exitCodes.usage);
}

/** Deep enough for data. Generic types may have no end. */
const MAX_DEPTH = 20;

/**
 * A type with the name of a model is that model. Another one is the model that the API has in its place; the exported
 * type may be any model.
 */
function fieldsIn({ ts: typeScript, program }: Project, exported: ts.Type, exportName: string): FormerField[] {
  const { ObjectFlags, TypeFlags } = typeScript;
  const checker = program.getTypeChecker();
  const fields = new Map<ts.Node, FormerField>();
  const seen = new Map<ts.Type, ReadonlySet<string>>();
  visit(exported, modelNames.includes(exportName) ? [exportName] : modelNames, 0);
  return [...fields.values()];

  function visit(type: ts.Type, place: readonly string[], depth: number): void {
    // A primitive type has none.
    const symbol: ts.Symbol | undefined = type.aliasSymbol ?? type.symbol;
    const name = symbol?.name ?? '';
    const models = modelNames.includes(name) ? [name] : place;
    const earlier = seen.get(type) ?? new Set();
    if (depth > MAX_DEPTH || (seen.has(type) && models.every((model) => earlier.has(model)))) return;
    seen.set(type, new Set([...earlier, ...models]));
    const reference = type as ts.TypeReference;
    const isReference = type.flags & TypeFlags.Object && reference.objectFlags & ObjectFlags.Reference;
    const parts = [
      ...(type.isUnionOrIntersection() ? type.types : []),
      ...(type.aliasTypeArguments ?? []),
      ...(isReference ? checker.getTypeArguments(reference) : []),
      ...checker.getIndexInfosOfType(type).map((index) => index.type),
    ];
    for (const part of parts) visit(part, models, depth + 1);
    for (const property of type.flags & TypeFlags.Object ? type.getProperties() : []) {
      const declarations = checker.getRootSymbols(property).flatMap((root) => root.declarations ?? []);
      const current = currentNameIn(models, property.name);
      for (const declaration of declarations) {
        const declared = typeScript.getNameOfDeclaration(declaration);
        if (declared && current !== undefined) fields.set(declared, { former: property.name, current, declared });
      }
      const inner = modelsOfField(models, current ?? property.name);
      const isFollowed = declarations.some((each) => isOwn(each.getSourceFile()));
      if (isFollowed || inner.length > 0) visit(checker.getTypeOfSymbol(property), inner, depth + 1);
    }
  }
}
