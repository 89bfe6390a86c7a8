import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as schemas from '@hr/schemas';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { codeBlocks } from '../src/code-blocks.ts';
import { PROGRAMS_FOLDER, writePrograms } from '../src/programs.ts';
import { pages, readWorkspaceFiles, workspace } from '../src/workspace.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** Code that reads a field, and what a linter says of it if its model says that it is deprecated. */
type FieldUse = readonly [code: string, sentence?: string | undefined];

/** A use of each field of a model, however deep, such as `it?.employments?.[0]?.start`. */
function* fieldUses(schema: Schema, it: string, definitions = schema.$defs): Generator<FieldUse> {
  for (const [name, field] of Object.entries(schema.properties ?? {}) as [string, Schema][]) {
    const own = field.deprecated ? `\`${name}\` is deprecated. ${field.description}` : undefined;
    yield [`${it}?.${name};`, own];
    if (own === undefined) yield* fieldUses(field, `${it}?.${name}`, definitions);
  }
  const referred = definitions?.[schema.$ref?.replace('#/$defs/', '') ?? ''];
  for (const same of [referred, ...(schema.anyOf ?? [])]) if (same) yield* fieldUses(same, it, definitions);
  if (schema.items) yield* fieldUses(schema.items as Schema, `${it}?.[0]`, definitions);
}

const [shown, said] = codeBlocks('deprecations.md', pages.get('docs/deprecations.md') ?? '');
const program = shown?.code.trimEnd().split('\n') ?? [];
const sentence = said?.code.trim();

/** Every model that users can import, by what they write for it. */
const models: [name: string, model: unknown][] = [
  ...Object.entries(schemas),
  ...Object.entries(schemas.operations).flatMap(([id, { pathParameters, query }]): [string, unknown][] => [
    [`operations.${id}.pathParameters`, pathParameters],
    [`operations.${id}.query`, query],
  ]),
];
const types = [
  'Person',
  'PersonDelta',
  'Lenient<schemas.Person>',
  'Lenient<schemas.PersonDelta>',
  "ResponseOf<'updatePerson'>",
];
const uses: FieldUse[] = [
  ...types.map((type): FieldUse => [`(it: schemas.${type}) => it?.payrollContractIds;`, sentence]),
  ...models.flatMap(([name, model]) => {
    if (!(model instanceof z.ZodType)) return [];
    return [
      ...fieldUses(z.toJSONSchema(model, { unrepresentable: 'any' }), `(it: z.output<typeof schemas.${name}>) => it`),
    ];
  }),
];

test('a linter says what the page says, and of a field what its model, and so OpenAPI, says', async () => {
  const lines = [
    ...program,
    "import type * as schemas from '@hr/schemas';",
    "import type { z } from 'zod';",
    ...uses.map(([code]) => code),
  ];
  // Where it finds the built packages: the comments that mark a field have to come through the build.
  const rules = '{ "rules": { "typescript/no-deprecated": "error" } }';
  await writePrograms([
    { file: 'uses.ts', text: lines.join('\n') },
    { file: '.oxlintrc.json', text: rules },
  ]);
  const oxlint = join(workspace, 'node_modules/.bin/oxlint');
  const args = ['--type-aware', '--no-ignore', '--format', 'unix', 'uses.ts'];
  const { stdout } = spawnSync(oxlint, args, { cwd: PROGRAMS_FOLDER, encoding: 'utf8' });
  const found = stdout.matchAll(/^uses\.ts:(\d+):\d+: (.*) \[.*no-deprecated/gm);
  const sentences = Array.from(found, ([, line, what]) => `${lines[Number(line) - 1]} // ${what}`);

  expect(uses.length).toBeGreaterThan(100);
  const marked: FieldUse[] = [[program.at(-1) ?? '', sentence], ...uses.filter(([, own]) => own !== undefined)];
  expect(sentences.toSorted()).toEqual(marked.map((use) => use.join(' // ')).toSorted());
});

async function deprecatedIn(pattern: string): Promise<string[]> {
  const files = await readWorkspaceFiles(pattern);
  return [...files.values()].flatMap((text) => text.match(/@deprecated\b.*/g) ?? []).toSorted();
}

test('a comment that says that something is deprecated is published', async () => {
  expect(await deprecatedIn('packages/*/src/**/*.ts')).toEqual(await deprecatedIn('packages/*/dist/**/*.d.ts'));
});
