import { expect, test } from 'vitest';
import { commandFaults } from '../src/command-faults.ts';
import { dataFaults } from '../src/data-faults.ts';
import { docstringExamples } from '../src/docstring-examples.ts';
import { readDocument } from '../src/document.ts';
import { exportedNames } from '../src/exported-names.ts';
import { linkFaults } from '../src/link-faults.ts';
import { noteFaults } from '../src/note-faults.ts';

/** No fault. */
const NONE = /^$/;

const page = (...lines: string[]) => readDocument('docs/page.md', lines.join('\n'));
const script = (...lines: string[]) => page('```sh', ...lines, '```').blocks;

test('a block has a line, a file, a note and an output', () => {
  const { blocks } = page(
    'Write this:',
    '',
    '`src/main.ts`',
    '',
    '<!-- unchecked: an example -->',
    '',
    '```ts',
    'go();',
    '```',
    '',
    '- ```ts',
    '  stay();',
    '  ```',
    '',
    '  ```text',
    '  stayed',
    '  ```',
  );
  expect(blocks).toEqual([
    {
      document: 'docs/page.md',
      line: 8,
      language: 'ts',
      code: 'go();',
      fileName: 'src/main.ts',
      note: 'unchecked: an example',
      output: undefined,
      isOutput: false,
    },
    expect.objectContaining({ line: 12, code: 'stay();', output: 'stayed\n', fileName: undefined, note: undefined }),
    expect.objectContaining({ line: 16, language: 'text', isOutput: true }),
  ]);
});

test('an example is code with or without a fence, up to the next tag', () => {
  const source = [
    '/** No example. */',
    'export const one = 1;',
    '',
    '/**',
    ' * Adds.',
    ' *',
    ' * @example',
    ' * add(1, 2);',
    ' * add(3, 4);',
    ' * @returns the sum',
    ' */',
    'interface Adder {',
    '  /**',
    '   * @example',
    '   * ```ts',
    '   * add(5, 6);',
    '   * ```',
    '   */',
    '}',
  ];
  expect(docstringExamples('src/add.ts', source.join('\n'))).toEqual([
    { source: 'src/add.ts', line: 8, code: 'add(1, 2);\nadd(3, 4);' },
    { source: 'src/add.ts', line: 16, code: 'add(5, 6);' },
  ]);
});

test('the names of a module are those of its lists and its declarations', () => {
  const module = [
    "export { a, b as c, d as default } from './a.ts';",
    "export type { E, F } from './e.ts';",
    'export async function g() {}',
    'export declare const h: string;',
    'export interface I {}',
    'const hidden = 1;',
  ];
  expect(exportedNames(module.join('\n'))).toEqual(['a', 'c', 'type E', 'type F', 'g', 'h', 'type I']);
});

test.each([
  ['pnpm start && pnpm tset', 'docs/page.md:3: pnpm tset: there is no such script or command'],
  ['npx pnpm@12 --silent service clients create --name payroll --json', NONE],
  ['pnpm service clients creat', 'service clients creat: there is no such command'],
  ['pnpm service clients create --nam payroll', 'service clients create has no option --nam'],
  ['pnpm --filter service run verify-contracts ../pacts', NONE],
  ['pnpm --filter nobody test', 'there is no package nobody'],
  ['npx hr-contracts drift pacts', NONE],
  ['npx hr-contracts drift pacts --version 1.0.0', 'hr-contracts drift has no option --version'],
  ['npx hr-contracts can-deploy', 'hr-contracts can-deploy: there is no such command'],
  ['npx hr-contract drift', 'npx hr-contract: nobody knows this program'],
  ['CI=true npm instal @hr/client', 'npm instal: there is no such script or command'],
  ["git commit -m 'Say pnpm && nothing' # && pnpm tset", NONE],
  ['brew install hr', 'brew: nobody knows this program'],
])('%s', (command, fault) => {
  const known = {
    scripts: new Map([
      ['', ['start']],
      ['service', ['verify-contracts']],
    ]),
    contractsHelp: new Map([
      ['drift', 'FLAGS\n  --verbose   List everything\n  -h, --help  Print this help\n'],
      ['publish', 'FLAGS\n  --version VERSION  Version of the consumer\n'],
    ]),
  };
  const faults = script('# first', command).flatMap((block) => commandFaults(block, known));
  expect(faults.join('\n')).toMatch(fault);
});

test.each([
  ['json', '{"a": 1}\n{"b": 2}', NONE],
  ['json', "{'a': 1}", 'docs/page.md:2: this is no JSON'],
  ['ini', '; a comment\n@hr:registry=https://registry.example.com/', NONE],
  ['ini', '@hr:registry https://registry.example.com/', 'this is no INI'],
  ['yaml', 'a: [1, 2]', NONE],
  ['yaml', 'a: [1, 2', 'docs/page.md:2: '],
])('%s: %s', (language, code, fault) => {
  const { blocks } = page(`\`\`\`${language}`, code, '```');
  expect(blocks.flatMap(dataFaults).join('\n')).toMatch(fault);
});

test.each([
  ['[here](other.md)', NONE],
  ['[here](#a-heading-of-1-page)', NONE],
  ['[here](https://example.com/nothing)', NONE],
  ['[here](missing.md)', 'docs/page.md:2: missing.md: there is no such file'],
  ['[here](other.md#nothing)', 'other.md#nothing: there is no such heading'],
  ['[here](#nothing)', '#nothing: there is no such heading'],
  ['[here][elsewhere]\n\n[elsewhere]: missing.md', 'missing.md: there is no such file'],
])('%s', (text, fault) => {
  const document = page('# A heading of 1 page!', text);
  const documents = [document, readDocument('docs/other.md', '# Other')];
  const targets = { documents, published: [], exists: (path: string) => !path.endsWith('missing.md') };
  expect(linkFaults(document, targets).join('\n')).toMatch(fault);
});

test.each([
  ['docs/contracts.md', NONE],
  ['CHANGELOG.md', NONE],
  ['../../docs/running.md', 'this is not in the package'],
  ['src/index.ts', 'this is not in the package'],
  ['docs/nothing.md', 'there is no such file'],
])('a README links to %s', (url, fault) => {
  const document = readDocument('packages/testing/README.md', `[here](${url})`);
  const targets = {
    documents: [document],
    published: [{ folder: 'packages/testing', files: ['CHANGELOG.md', 'dist', 'docs', '!**/*.tsbuildinfo'] }],
    exists: (path: string) => !path.endsWith('nothing.md') && !path.endsWith('CHANGELOG.md'),
  };
  expect(linkFaults(document, targets).join('\n')).toMatch(fault);
});

test.each([
  ['', 'ts', NONE],
  ['', 'sql', 'docs/page.md:4: nothing checks a block of sql'],
  ['', '', 'nothing checks a block without a language'],
  ['', 'text', 'nothing checks a block of text'],
  ['<!-- unchecked: a drawing -->', 'text', NONE],
  ['<!-- unchecked -->', 'text', 'nothing checks a block of text'],
  ['<!-- checked by test/reads.test.ts -->', 'sql', NONE],
  ['<!-- checked by test/other.test.ts -->', 'sql', 'test/other.test.ts does not read page.md'],
  ['<!-- checked by test/missing.test.ts -->', 'sql', 'there is no test/missing.test.ts'],
])('%s above a block of "%s"', async (note, language, fault) => {
  const files: Record<string, string> = { 'test/reads.test.ts': "read('page.md')", 'test/other.test.ts': '' };
  const read = (path: string) => (path in files ? Promise.resolve(files[path] ?? '') : Promise.reject(new Error(path)));
  const [block] = page(note, '', `\`\`\`${language}`, 'a', '```').blocks;
  const faults = block ? await noteFaults(block, read) : [];
  expect(faults.join('\n')).toMatch(fault);
});
