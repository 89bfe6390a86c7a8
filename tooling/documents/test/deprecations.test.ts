import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as schemas from '@hr/schemas';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readDocument } from '../src/document.ts';
import { fieldsOf } from '../src/fields-of.ts';
import { readWorkspaceFile, workspace, workspaceFiles } from '../src/workspace.ts';

const page = 'docs/deprecations.md';
interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

// Where it finds the built packages: the comments that mark a field have to come through the build.
const folder = fileURLToPath(new URL('../reports/deprecations', import.meta.url));

/** What a linter finds deprecated in a program: the line and the sentence. */
async function deprecationsIn(program: string): Promise<{ line: number; message: string }[]> {
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
  const { diagnostics } = JSON.parse(said) as { diagnostics: Diagnostic[] };
  return diagnostics
    .filter(({ code }) => code.includes('no-deprecated'))
    .map(({ message, labels: [place] }) => ({ line: place?.span.line ?? 0, message }));
}

afterEach(() => rm(folder, { recursive: true, force: true }));

test('a linter says what the page says, of every type with the field', async () => {
  const { blocks } = readDocument(page, await readWorkspaceFile(page));
  const index = blocks.findIndex(({ note }) => note?.includes('deprecations.test.ts'));
  const [program, said] = blocks.slice(index);
  const message = said?.code;
  expect(await deprecationsIn(program?.code ?? '')).toEqual([{ line: 3, message }]);

  const all = ['Person', 'PersonDelta', 'Lenient<Person>', 'Lenient<PersonDelta>', "ResponseOf<'updatePerson'>"];
  const uses = all.map((type, at) => `export const use${at} = (it: ${type}) => it?.payrollContractIds;`);
  const types = `import type { ResponseOf, Person, PersonDelta, Lenient } from '@hr/schemas';\n`;
  expect(await deprecationsIn(types + uses.join('\n'))).toEqual(all.map((_, at) => ({ line: at + 2, message })));
});

/** Every model that users can import, by what they write for it. */
function exportedModels(): [name: string, model: z.ZodType][] {
  const inTable = Object.entries(schemas.operations).flatMap(([id, operation]) =>
    (['pathParameters', 'query'] as const).map((part): [string, z.ZodType] => [
      `schemas.operations.${id}.${part}`,
      operation[part],
    ]),
  );
  const named = Object.entries(schemas).flatMap(([name, value]): [string, z.ZodType][] =>
    value instanceof z.ZodType ? [[`schemas.${name}`, value]] : [],
  );
  return [...named, ...inTable];
}

test('a field is deprecated in its model, and so in OpenAPI, where it is in its type, and in the same words', async () => {
  const uses = exportedModels().flatMap(([name, model]) =>
    fieldsOf(model).map(({ access, deprecations }) => ({
      code: `export const use = (it: z.output<typeof ${name}>) => it${access};`,
      deprecations,
    })),
  );
  expect(uses.length).toBeGreaterThan(100);
  const lines = uses.map(({ code }, at) => code.replace('use', `use${at}`));
  const program = `import type * as schemas from '@hr/schemas';\nimport type { z } from 'zod';\n${lines.join('\n')}\n`;
  const found = (await deprecationsIn(program)).map(({ line, message }) => `${uses[line - 3]?.code} ${message}`);
  const marked = uses.flatMap(({ code, deprecations }) => deprecations.map((said) => `${code} ${said}`));
  expect(found.toSorted()).toEqual(marked.toSorted());
});

async function deprecatedIn(pattern: string): Promise<string[]> {
  const files = await Promise.all((await workspaceFiles(pattern)).map(readWorkspaceFile));
  return files.flatMap((text) => text.match(/@deprecated\b.*/g) ?? []).toSorted();
}

test('a comment that says that something is deprecated is published', async () => {
  expect(await deprecatedIn('packages/*/src/**/*.ts')).toEqual(await deprecatedIn('packages/*/dist/**/*.d.ts'));
});
