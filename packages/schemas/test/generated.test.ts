import { readFile } from 'node:fs/promises';
import { format, type FormatConfig } from 'oxfmt';
import { expect, test } from 'vitest';
import { generateChecks } from '../generator/generate-checks.ts';
import { z } from 'zod';
import { generateModels, generateResponses } from '../generator/generate-models.ts';
import { operations } from '../src/index.ts';

test.each([
  ['checks.ts', () => generateChecks(operations)],
  ['models.ts', generateModels],
  ['responses.ts', generateResponses],
])('%s is what the models say', async (name, generate) => {
  const config = JSON.parse(await readFile('../../.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(name, generate(), config);
  expect(errors).toEqual([]);
  await expect(code).toMatchFileSnapshot(`../src/generated/${name}`);
});

test.each([
  ['a type', z.strictObject({ born: z.date() }), "Unknown type date at 'born'"],
  ['a union', z.strictObject({ id: z.union([z.string(), z.number()]) }), "Unknown type union at 'id'"],
  ['a check of a string', z.strictObject({ code: z.string().regex(/^x/) }), "Unknown check at 'code'"],
  ['a check of a list', z.strictObject({ ids: z.array(z.string()).max(3) }), "Unknown check at 'ids'"],
  ['a check of its own', z.strictObject({ id: z.string().refine((id) => id !== 'x') }), "Unknown check at 'id'"],
  [
    'a check of an object',
    z.strictObject({ id: z.string() }).refine(({ id }) => id !== 'x'),
    'Unknown check of an object',
  ],
])('%s that the generator does not know fails the generation', (_, response, message) => {
  const table = { getThing: { ...operations.listAbsences, response, delta: response } };
  expect(() => generateChecks(table)).toThrow(message);
});
