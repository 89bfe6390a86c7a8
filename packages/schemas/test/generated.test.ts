import { readFile } from 'node:fs/promises';
import { format } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';
import { expect, test } from 'vitest';
import { generateChecks } from '../generator/generate-checks.ts';
import { generateModels, generateResponses } from '../generator/generate-models.ts';

test.each([
  ['checks.ts', generateChecks],
  ['models.ts', generateModels],
  ['responses.ts', generateResponses],
])('%s is what the models say', async (name, generate) => {
  const config = JSON.parse(await readFile('../../.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(name, generate(), config);
  expect(errors).toEqual([]);
  await expect(code).toMatchFileSnapshot(`../src/generated/${name}`);
});
