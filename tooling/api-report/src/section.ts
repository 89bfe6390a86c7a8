/** What an entry point gives to its users, as a report writes it. */
export interface Section {
  /** What users write to import it, such as `@hr/schemas/rules`. */
  readonly specifier: string;
  /** What its types take from elsewhere, a line each. */
  readonly imports: readonly string[];
  readonly entities: readonly Entity[];
}

/** A name with all that is declared for it: several overloads, or a value and a type. */
export interface Entity {
  /** What the declarations call it. */
  readonly name: string;
  /** What users call it; nothing where they meet it in other types only, and cannot name it. */
  readonly exportedAs: readonly string[];
  /** Each declaration, with its tags on lines before it, and with the exports that give it another name. */
  readonly blocks: readonly string[];
}

/** A namespace is always exported: `export * as name`. */
const DECLARED =
  /^(export |declare (?=namespace))?(?:declare )?(?:abstract )?(?:class|(?:const )?enum|const|function|interface|let|namespace|type|var) ([\w$]+)/m;
const STAR = /^(export )(\* from .+);$/m;
const NAMED = /^export (?:type )?\{ ([\w$]+)(?: as ([\w$]+))? \}$|^export default ([\w$]+);$/gm;

/** Reads a section from the code that a report shows for it. */
export function readSection(specifier: string, code: string): Section {
  const blocks = code.split(/\n{2,}|\n(?=export \*)/).map((block) => block.trim());
  const imports = blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('import ')));
  const byName = Map.groupBy(blocks.flatMap(statementsOf), ({ name }) => name);
  const entities = Array.from(byName, ([name, statements]) => ({
    name,
    exportedAs: [...new Set(statements.flatMap(({ exportedAs }) => exportedAs))],
    blocks: statements.map(({ block }) => block),
  }));
  return { specifier, imports, entities };
}

interface Statement {
  readonly name: string;
  readonly exportedAs: readonly string[];
  readonly block: string;
}

function statementsOf(block: string): Statement[] {
  const named = Array.from(block.matchAll(NAMED), ([, local = '', name = local, byDefault]) =>
    byDefault ? { local: byDefault, name: 'default' } : { local, name },
  );
  const [, inline, declared = named[0]?.local] = DECLARED.exec(block) ?? STAR.exec(block) ?? [];
  if (declared === undefined) return [];
  const exportedAs = [...(inline ? [declared] : []), ...named.map(({ name }) => name)];
  return [{ name: declared, exportedAs, block }];
}

/** The code that a report shows for a section. */
export function writeSection({ imports, entities }: Section): string {
  return [imports.join('\n'), ...entities.flatMap(({ blocks }) => blocks)].filter(Boolean).join('\n\n');
}

/** What is declared for an entity, whether it is exported or not. */
export function declarationOf({ blocks }: Entity): string {
  const declared = blocks.map((block) =>
    block
      .replaceAll(NAMED, '')
      .replace(/^export /m, '')
      .trim(),
  );
  return declared.join('\n\n');
}

/** What an entity is to those who import it by a name, whatever it is called where it is declared. */
export function exportOf(entity: Entity, name: string): string {
  const statements = entity.blocks.flatMap((block) => Array.from(block.matchAll(NAMED)));
  const isTypeOnly = statements.some(
    ([line, local, exported = local]) => exported === name && line.startsWith('export type'),
  );
  const declaration = entity.name === name ? declarationOf(entity) : renamed(declarationOf(entity), entity.name, name);
  return isTypeOnly ? declaration : declaration.replaceAll(/^(?=[a-z])/gm, 'export ');
}

function renamed(code: string, from: string, to: string): string {
  return code.replaceAll(uses(from), () => to);
}

/** Whether some code uses a name. */
export function mentions(code: string, name: string): boolean {
  return uses(name).test(code);
}

function uses(name: string): RegExp {
  return new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\\w$])`, 'g');
}

/** The name that an import gives to what it takes. */
export function importedName(line: string): string {
  const [, name = ''] = /([\w$]+)(?: \})? (?:from|=)/.exec(line) ?? [];
  return name;
}
