import { parseSync, Visitor, type Directive, type Statement } from 'oxc-parser';

/** A report. */
export interface Api {
  readonly code: string;
  /**
   * All declarations, by name, with a namespace for each entry point; and the terms, which are not code, such as the range
   * of `engine node` and the `values of Person.id`.
   */
  readonly entities: ReadonlyMap<string, Entity>;
  readonly exports: readonly Export[];
}

/** All declarations of a name: overloads, or a value and a type. */
export interface Entity {
  readonly text: string;
  readonly nodes: readonly (Directive | Statement)[];
  /** The other names in its declarations. */
  readonly mentions: readonly string[];
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

/** Reads a report. */
export function readReport(report: string): Api {
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(report) ?? [];
  const [, lines = ''] = /^```text\n(.*?)^```$/ms.exec(report) ?? [];
  const terms = Array.from(lines.matchAll(/^(.+?): (.+)$/gm), ([, term = '', text = '']) => {
    return [term.includes(' ') ? term : `values of ${term}`, { text, nodes: [], mentions: [] }] as const;
  });
  const { entities, exports } = readApi(code);
  return { code, entities: new Map([...entities, ...terms]), exports };
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
    entities.set(id.name, {
      text: before ? `${before.text}\n${text}` : text,
      nodes: [...(before?.nodes ?? []), node],
      mentions: [...(before?.mentions ?? []), ...within.map(({ name }) => name)],
    });
  }
  // What declarations mention is a namespace of their own, and no entry point.
  const mentioned = new Set(Array.from(entities.values()).flatMap(({ mentions }) => mentions));
  const exports = program.body.flatMap(exportsOf).filter(({ namespace }) => !mentioned.has(namespace));
  return { code, entities, exports };
}

function exportsOf(node: Directive | Statement): Export[] {
  if (node.type !== 'TSModuleDeclaration' || node.id.type !== 'Identifier' || !node.body) return [];
  const namespace = node.id.name;
  const exports = node.body.body.flatMap((one) => (one.type === 'ExportNamedDeclaration' ? one.specifiers : []));
  return exports.flatMap(({ local, exported, exportKind }) =>
    'name' in local && 'name' in exported
      ? [{ namespace, name: exported.name, local: local.name, isTypeOnly: exportKind === 'type' }]
      : [],
  );
}

/** Names, and all that their declarations mention, directly or not. */
export function reachable(names: Iterable<string>, { entities }: Api): Set<string> {
  const reached = new Set(names);
  // A set also yields what is added meanwhile.
  for (const name of reached) for (const mentioned of entities.get(name)?.mentions ?? []) reached.add(mentioned);
  return reached;
}

/** Whether users do not implement an interface: they only get it from the package. */
export function isSealed({ text }: Entity): boolean {
  return /^\/\/.* @sealed\b/.test(text);
}
