import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as schemas from '@hr/schemas';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { codeBlocks } from '../src/code-blocks.ts';
import { readWorkspaceFile, workspace, workspaceFiles } from '../src/workspace.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Code that reads a field, and what a linter says of it where its model says that it is deprecated. */
interface FieldUse {
  readonly code: string;
  readonly sentences: readonly string[];
}

/** A use of each field of a model, however deep, such as `it?.employments?.[0]?.start`. */
function* fieldUses(schema: Schema, use: FieldUse, definitions = schema.$defs): Generator<FieldUse> {
  const { code, sentences } = use;
  for (const [name, field] of Object.entries(schema.properties ?? {}) as [string, Schema][]) {
    const own = field.deprecated ? [`\`${name}\` is deprecated. ${field.description}`] : [];
    const ofField = { code: `${code}?.${name}`, sentences: [...sentences, ...own] };
    yield ofField;
    yield* fieldUses(field, ofField, definitions);
  }
  const referred = definitions?.[schema.$ref?.replace('#/$defs/', '') ?? ''];
  for (const same of [referred, ...(schema.anyOf ?? [])]) if (same) yield* fieldUses(same, use, definitions);
  if (schema.items) yield* fieldUses(schema.items as Schema, { code: `${code}?.[0]`, sentences }, definitions);
}

const [shown, said] = codeBlocks('deprecations.md', await readWorkspaceFile('docs/deprecations.md'));
const sentence = said?.code.trim() ?? '';

/** Every model that users can import, by what they write for it. */
const models: [name: string, model: unknown][] = [
  ...Object.entries(schemas).map(([name, value]): [string, unknown] => [name, value]),
  ...Object.entries(schemas.operations).flatMap(([id, { pathParameters, query }]): [string, unknown][] => [
    [`operations.${id}.pathParameters`, pathParameters],
    [`operations.${id}.query`, query],
  ]),
];
const types = ['Person', 'PersonDelta', 'Lenient<Person>', 'Lenient<PersonDelta>', "ResponseOf<'updatePerson'>"];
const uses = [
  ...types.map((type) => ({
    code: `(it: schemas.${type.replace('<P', '<schemas.P')}) => it?.payrollContractIds`,
    sentences: [sentence],
  })),
  ...models.flatMap(([name, model]) => {
    if (!(model instanceof z.ZodType)) return [];
    const use = { code: `(it: z.output<typeof schemas.${name}>) => it`, sentences: [] };
    return Array.from(fieldUses(z.toJSONSchema(model, { unrepresentable: 'any' }), use));
  }),
];

/** What a linter finds in the program of the page and in the uses: the file, the line and the sentence. */
let found: readonly string[];

beforeAll(async () => {
  // Where it finds the built packages: the comments that mark a field have to come through the build.
  const folder = fileURLToPath(new URL('../reports/deprecations', import.meta.url));
  const files = {
    'page.ts': shown?.code ?? '',
    'uses.ts': `import type * as schemas from '@hr/schemas'; import type { z } from 'zod';
      ${uses.map(({ code }, index) => `export const use${index} = ${code};`).join('\n')}`,
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true } }',
    '.oxlintrc.json': '{ "plugins": ["typescript"], "rules": { "typescript/no-deprecated": "error" } }',
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  const oxlint = join(workspace, 'node_modules/.bin/oxlint');
  const args = ['--type-aware', '--no-ignore', '--config', '.oxlintrc.json', '--format', 'unix', 'page.ts', 'uses.ts'];
  const report = await new Promise<string>((resolve) => {
    execFile(oxlint, args, { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  found = Array.from(
    report.matchAll(/^(.*?:\d+):\d+: (.*) \[.*no-deprecated/gm),
    ([, place, what]) => `${place} ${what}`,
  );
  await rm(folder, { recursive: true });
});

test('a linter says what the page says', () => {
  expect(found.filter((fault) => fault.startsWith('page.ts'))).toEqual([`page.ts:3 ${sentence}`]);
});

test('a field is deprecated in its model, and so in OpenAPI, where it is in its types, and in the same words', () => {
  expect(uses.length).toBeGreaterThan(100);
  const marked = uses.flatMap(({ sentences }, index) => sentences.map((each) => `uses.ts:${index + 2} ${each}`));
  expect(found.filter((fault) => fault.startsWith('uses.ts')).toSorted()).toEqual(marked.toSorted());
});

async function deprecatedIn(pattern: string): Promise<string[]> {
  const files = await Promise.all((await workspaceFiles(pattern)).map(readWorkspaceFile));
  return files.flatMap((text) => text.match(/@deprecated\b.*/g) ?? []).toSorted();
}

test('a comment that says that something is deprecated is published', async () => {
  expect(await deprecatedIn('packages/*/src/**/*.ts')).toEqual(await deprecatedIn('packages/*/dist/**/*.d.ts'));
});
