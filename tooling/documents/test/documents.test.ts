import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { codeBlocks } from '../src/code-blocks.ts';
import { commandFaults } from '../src/command-faults.ts';
import { examplePrograms, examplesIn } from '../src/example-programs.ts';
import { linkFaults } from '../src/link-faults.ts';
import { programOfBlock, programRunner, typeFaults, writePrograms } from '../src/programs.ts';
import { pages, readWorkspaceFiles } from '../src/workspace.ts';

// A page and an example on which each check finds what is wrong. One that does not see them sees nothing.
const wrongPage = `# Wrong

- \`\`\`ts
  export const text: string = 1;
  \`\`\`

[a file](gone.md), [a heading](#gone), [of another page](README.md#gone)

pnpm start && pnpm tset
npx pnpm@12 --silent service clients creat
Run \`pnpm service erase --now ID\`.
HR_X=1 pnpm service clients create
echo | npx pnpm@12 --filter nobody run test
npx hr-contracts drift --version 1.0.0
- run: npx hr-contracts can-deploy`;
const wrongExamples = examplesIn('wrong.ts', '/**\n * @example\n * ```ts\n * nobody();\n * ```\n */', []);

const texts = new Map([...pages, ['wrong.md', wrongPage]]);
const blocks = Array.from(texts, ([page, text]) => codeBlocks(page, text).filter(({ isExempt }) => !isExempt)).flat();
// Of the demo, the persons and the client.
const cloud = await startFakeHrCloud({ persons: 300, clientId: 'demo', clientSecret: 'demo-secret' });
const programs = blocks
  .filter(({ language }) => language === 'ts')
  .map((block) => ({ ...programOfBlock(block, cloud.url), ...block }));

await writePrograms([...programs, ...(await examplePrograms()), ...wrongExamples]);
const runner = programRunner();
afterAll(() => cloud.stop());

// On one thread, TypeScript 7 takes a third of the CPU time.
test.each([['typescript', '--singleThreaded'], ['typescript-6']])(
  'all TypeScript of the pages, and every @example, compiles in %s',
  async (...compiler) => {
    expect(await typeFaults(compiler)).toEqual([
      "wrong.md:4: TS2322: Type 'number' is not assignable to type 'string'.",
      "wrong.ts:4: TS2304: Cannot find name 'nobody'.",
    ]);
  },
);

test.each(programs.filter(({ output }) => output !== undefined))(
  'the program of $page:$line prints the block below it',
  async ({ output, ...program }) => {
    cloud.reset();
    expect(await runner.run(program)).toBe(output);
  },
);

test('no program leaves anything running', async () => expect(await runner.stop()).toBe(0));

test.each(blocks.filter(({ language }) => language === 'json'))('the JSON of $page:$line can be read', ({ code }) => {
  // One value, or one a line.
  const values = /^[{[]\n/.test(code) ? [code] : code.trim().split('\n');
  expect(() => values.map((value) => JSON.parse(value) as unknown)).not.toThrow();
});

test.each(blocks.filter(({ language }) => language === 'yaml'))('the YAML of $page:$line can be read', ({ code }) => {
  expect(parseAllDocuments(code).flatMap(({ errors }) => errors)).toEqual([]);
});

const files = await readWorkspaceFiles('tooling/cluster/etc/*');
test.each(blocks.filter(({ fileName = '' }) => files.has(fileName)))(
  '$page:$line shows the file $fileName',
  ({ code, fileName = '' }) => expect(code).toBe(files.get(fileName)),
);

test('every file of the cluster is shown', () => {
  expect([...files.keys()].filter((path) => !blocks.some(({ fileName }) => fileName === path))).toEqual([]);
});

test('a block that nothing here checks has a comment above it that says what checks it, or why nothing does', () => {
  const checked = new Set(['ini', 'json', 'sh', 'ts', 'yaml']);
  const others = blocks.filter(
    ({ language, isOutput, fileName = '' }) => !checked.has(language) && !isOutput && !files.has(fileName),
  );
  expect(others.map(({ page, line, language }) => `${page}:${line}: ${language}`)).toEqual([]);
});

test('every command exists', async () => {
  expect(await commandFaults([...texts.values()].join('\n'))).toEqual([
    'hr-contracts drift --version 1.0.0: there is no option --version',
    'hr-contracts can-deploy: there is no such command',
    'pnpm tset: there is no such script',
    "pnpm service clients creat: error: unknown command 'creat'\n(Did you mean create?)",
    "pnpm service erase --now ID: error: unknown option '--now'",
    "pnpm service clients create: error: required option '--name <name>' not specified",
    'pnpm --filter nobody run test: there is no such script',
  ]);
});

test('every link leads somewhere', async () => {
  expect(await linkFaults(texts)).toEqual([
    'wrong.md:7: [a heading](#gone) should lead to a heading',
    'wrong.md:7: "gone.md" should exist in the file system',
    'wrong.md:7: "README.md#gone" should have a valid fragment identifier',
  ]);
});
