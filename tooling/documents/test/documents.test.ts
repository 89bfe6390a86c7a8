import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandFaults } from '../src/command-faults.ts';
import { dataFaults } from '../src/data-faults.ts';
import { docstringExamples } from '../src/docstring-examples.ts';
import { readDocument } from '../src/document.ts';
import { readDocuments } from '../src/documents.ts';
import { examplePrograms } from '../src/example-programs.ts';
import { readKnownCommands } from '../src/known-commands.ts';
import { linkFaults } from '../src/link-faults.ts';
import { noteFaults } from '../src/note-faults.ts';
import { programOfBlock } from '../src/program-of-block.ts';
import { programOfExample } from '../src/program-of-example.ts';
import { readPublishedFolders } from '../src/published-folders.ts';
import { runProgram } from '../src/run-program.ts';
import { typeFaults } from '../src/type-faults.ts';
import { readWorkspaceFile, workspace } from '../src/workspace.ts';
import { writePrograms } from '../src/write-programs.ts';

const documents = await readDocuments();
const blocks = documents.flatMap((document) => document.blocks);
const checkedHere = blocks.filter(({ note }) => note === undefined);
// Of the demo, the persons and the client.
const cloud = await startFakeHrCloud({ persons: 300, clientId: 'demo', clientSecret: 'demo-secret' });
const programs = checkedHere
  .filter(({ language }) => language === 'ts')
  .map((block) => ({ ...programOfBlock(block, cloud.url), line: block.line, output: block.output }));
// A compiler that does not see them sees nothing.
const wrongPage = readDocument('wrong.md', '# Wrong\n\n```ts\nexport const text: string = 1;\n```');
const wrongExamples = docstringExamples('wrong.ts', '/**\n * @example\n * nobody();\n */');
const compiled = [
  ...programs,
  ...(await examplePrograms()),
  ...wrongPage.blocks.map((block) => programOfBlock(block, cloud.url)),
  ...wrongExamples.map((example) => programOfExample(example, [])),
];

beforeAll(() => writePrograms(compiled));
afterAll(() => cloud.stop());

test('every block of code is checked, here or elsewhere', async () => {
  const faults = await Promise.all(blocks.map((block) => noteFaults(block, readWorkspaceFile)));
  expect(faults.flat()).toEqual([]);
});

test('nothing checks these, and they say why', () => {
  const unchecked = blocks.filter(({ note }) => note?.startsWith('unchecked'));
  expect(unchecked.map(({ document, note }) => `${document} ${note}`)).toMatchInlineSnapshot(`
    [
      "AGENTS.md unchecked: a drawing",
      "README.md unchecked: the first lines of what it prints",
      "docs/contracts.md unchecked: their number grows",
      "docs/contracts.md unchecked: somebody else's contract",
      "docs/scaling.md unchecked: a formula",
      "docs/scaling.md unchecked: needs a pooler",
      "docs/securing.md unchecked: headers of a response",
      "apps/cli/README.md unchecked: it changes files of your own",
      "packages/testing/docs/contracts-in-ci.md unchecked: it takes a broker to say so",
      "packages/testing/docs/contracts.md unchecked: an example of the message",
      "packages/testing/docs/contracts.md unchecked: an example of the report",
      "packages/testing/docs/contracts.md unchecked: an example of the report",
    ]
  `);
});

test.each(['typescript', 'typescript-6'])(
  'all TypeScript of the documents, and every @example, compiles in %s',
  async (typescript) => {
    expect(await typeFaults(compiled, typescript)).toEqual([
      "wrong.md:4: TS2322: Type 'number' is not assignable to type 'string'.",
      "wrong.ts:3: TS2304: Cannot find name 'nobody'.",
    ]);
  },
);

describe('a program prints what stands below it', () => {
  const shown = programs.filter(({ output }) => output !== undefined);

  test.each(shown)('$document:$line', async ({ output, ...program }) => {
    cloud.reset();
    expect(await runProgram(program)).toBe(output);
  });
});

test('every command exists', async () => {
  const known = await readKnownCommands();
  const scripts = checkedHere.filter(({ language }) => language === 'sh');
  expect(scripts.flatMap((block) => commandFaults(block, known))).toEqual([]);
});

test('all data can be read', () => {
  expect(checkedHere.flatMap(dataFaults)).toEqual([]);
});

test('every link leads somewhere, and those of a package into the package', async () => {
  const published = await readPublishedFolders();
  const targets = { documents, published, exists: (path: string) => existsSync(join(workspace, path)) };
  expect(documents.flatMap((document) => linkFaults(document, targets))).toEqual([]);
});
