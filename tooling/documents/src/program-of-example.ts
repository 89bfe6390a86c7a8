import type { DocstringExample } from './docstring-examples.ts';
import type { Program } from './program.ts';

/** Names, and the module that they are imported from. */
export interface Exports {
  readonly from: string;
  /** Each as it is imported: `Person`, `type Person`. */
  readonly names: readonly string[];
}

/** An example as a file that imports, of what exists, all that the example names. Earlier modules win. */
export function programOfExample({ source, line, code }: DocstringExample, modules: readonly Exports[]): Program {
  const words = new Set(code.match(/\w+/g));
  const imports: string[] = [];
  for (const { from, names } of modules) {
    const used = names.filter((name) => words.delete(name.replace('type ', '')));
    if (used.length > 0) imports.push(`import { ${used.join(', ')} } from '${from}';`);
  }
  // In a block of its own, an example may declare a name that is imported.
  const [begin, end] = /^(ex|im)port /m.test(code) ? ['', ''] : ['{ ', '}'];
  return {
    document: source,
    file: `${source}/line-${line}.ts`,
    text: `${imports.join(' ')}${'\n'.repeat(line - 1)}${begin}${code}\n${end}\n`,
  };
}
