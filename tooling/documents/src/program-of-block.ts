import type { CodeBlock } from './code-block.ts';
import type { Program } from './program.ts';

/** Where the pages say that the HR Cloud is: the demo's address. */
const DEMO_ADDRESS = 'http://127.0.0.1:4010';

/** A block as it stands, that talks to another address. Blocks of a document are files of one folder. */
export function programOfBlock({ document, line, code, fileName }: CodeBlock, address: string): Program {
  return {
    document,
    file: `${document}/${fileName ?? `line-${line}.ts`}`,
    text: `${'\n'.repeat(line - 1)}${code.replaceAll(DEMO_ADDRESS, address)}\n`,
  };
}
