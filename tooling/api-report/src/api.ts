import { parseSync, Visitor } from 'oxc-parser';
import type { Directive, Statement } from 'oxc-parser';

/** The code of a report. */
export interface Api {
  readonly code: string;
  /** All declarations, by name; a namespace for each entry point. */
  readonly entities: ReadonlyMap<string, Entity>;
  readonly exports: readonly Export[];
}

/** All declarations of a name: overloads, or a value and a type. */
export interface Entity {
  readonly text: string;
  /** The kinds of its statements, such as `TSInterfaceDeclaration`. */
  readonly kinds: ReadonlySet<string>;
  readonly typeParameters: readonly {
    readonly name: string;
    readonly constraint?: string;
    readonly hasDefault: boolean;
  }[];
  /** Whether it is nothing but `typeof` or `keyof` something. */
  readonly operator: 'TSTypeOperator' | 'TSTypeQuery' | undefined;
  /** The other names in its declarations. */
  readonly mentions: ReadonlySet<string>;
}

/** What users import from an entry point. */
export interface Export {
  /** The namespace of the entry point. */
  readonly namespace: string;
  readonly name: string;
  /** Its name in the declarations. */
  readonly local: string;
  readonly isTypeOnly: boolean;
}

/** Reads the code of a report. */
export function readApi(code: string): Api {
  const { program } = parseSync('api.d.ts', code);
  const identifiers: { readonly start: number; readonly name: string }[] = [];
  new Visitor({ Identifier: (node) => identifiers.push(node) }).visit(program);
  const entities = new Map<string, Entity>();
  let end = 0;
  for (const node of program.body) {
    const text = code.slice(end, node.end).trim();
    ({ end } = node);
    const id = node.type === 'VariableDeclaration' ? node.declarations[0]?.id : 'id' in node && node.id;
    if (!id || id.type !== 'Identifier') continue;
    const before = entities.get(id.name);
    const within = identifiers.filter(({ start, name }) => start >= node.start && start < node.end && name !== id.name);
    const parameters = ('typeParameters' in node && node.typeParameters?.params) || [];
    const type = node.type === 'TSTypeAliasDeclaration' ? node.typeAnnotation.type : undefined;
    entities.set(id.name, {
      text: before ? `${before.text}\n${text}` : text,
      kinds: new Set([...(before?.kinds ?? []), node.type]),
      typeParameters: parameters.map(({ name, constraint, default: value }) => ({
        name: name.name,
        ...(constraint && { constraint: code.slice(constraint.start, constraint.end) }),
        hasDefault: Boolean(value),
      })),
      operator: type === 'TSTypeOperator' || type === 'TSTypeQuery' ? type : undefined,
      mentions: new Set([...(before?.mentions ?? []), ...within.map(({ name }) => name)]),
    });
  }
  // What declarations mention is a namespace of their own, and no entry point.
  const mentioned = new Set(Array.from(entities.values()).flatMap(({ mentions }) => [...mentions]));
  const exports = program.body.flatMap(exportsOf).filter(({ namespace }) => !mentioned.has(namespace));
  return { code, entities, exports };
}

function exportsOf(node: Directive | Statement): Export[] {
  if (node.type !== 'TSModuleDeclaration' || node.id.type !== 'Identifier' || !node.body) return [];
  const namespace = node.id.name;
  const statements = node.body.type === 'TSModuleBlock' ? node.body.body : [];
  return statements.flatMap((statement) =>
    (statement.type === 'ExportNamedDeclaration' ? statement.specifiers : []).flatMap(
      ({ local, exported, exportKind }) =>
        'name' in local && 'name' in exported
          ? [{ namespace, name: exported.name, local: local.name, isTypeOnly: exportKind === 'type' }]
          : [],
    ),
  );
}

/** Whether users do not implement an interface: they only get it from the package. */
export function isSealed({ text }: Entity): boolean {
  return /^\/\/.* @sealed\b/.test(text);
}

/** Names, and all that their declarations mention, directly or not. */
export function reachable(names: Iterable<string>, { entities }: Api): Set<string> {
  const reached = new Set(names);
  // A set also yields what is added meanwhile.
  for (const name of reached) {
    for (const mentioned of entities.get(name)?.mentions ?? []) if (entities.has(mentioned)) reached.add(mentioned);
  }
  return reached;
}
