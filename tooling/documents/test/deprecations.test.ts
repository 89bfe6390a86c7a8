import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { readDocument } from '../src/document.ts';
import { readWorkspaceFile, workspace } from '../src/workspace.ts';

const page = 'docs/deprecations.md';
// Where it finds the built packages: the comments that mark a field have to come through the build.
const folder = fileURLToPath(new URL('../reports/deprecations', import.meta.url));

async function deprecationsIn(program: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext", "strict": true } }');
  const rules = { 'typescript/no-deprecated': 'error' };
  await writeFile(join(folder, '.oxlintrc.json'), JSON.stringify({ plugins: ['typescript'], rules }));
  const said = await new Promise<string>((resolve) => {
    const oxlint = join(workspace, 'node_modules/.bin/oxlint');
    const args = ['--type-aware', '--no-ignore', '--config', '.oxlintrc.json', '--format', 'json', 'program.ts'];
    execFile(oxlint, args, { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(said) as { diagnostics: { code: string; message: string }[] };
  return diagnostics.filter(({ code }) => code.includes('no-deprecated')).map(({ message }) => message);
}

afterEach(() => rm(folder, { recursive: true }));

test('a linter says what the page says, of every type with the field', async () => {
  const { blocks } = readDocument(page, await readWorkspaceFile(page));
  const index = blocks.findIndex(({ note }) => note?.includes('deprecations.test.ts'));
  const [program, said] = blocks.slice(index);
  expect(await deprecationsIn(program?.code ?? '')).toEqual([said?.code]);

  const all = ['Person', 'PersonDelta', 'Received<Person>', 'Received<PersonDelta>', "Answer<'updatePerson'>"];
  const uses = all.map((type, at) => `export const use${at} = (it: ${type}) => it?.payrollContractIds;`);
  const types = `import type { Answer, Person, PersonDelta, Received } from '@hr/schemas';\n`;
  expect(await deprecationsIn(types + uses.join('\n'))).toEqual(all.map(() => said?.code));
});
