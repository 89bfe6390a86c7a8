import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as main from '../src/index.ts';
import * as rules from '../src/rules/index.ts';

const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');
const [, program = '', output] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readme) ?? [];

test('the first program prints what stands below it', () => {
  const printed = execFileSync(
    process.execPath,
    ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', program],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  expect(printed).toBe(output);
});

test('every export is named', () => {
  const named = new Set(readme.match(/\w+/g));
  expect([...Object.keys(main), ...Object.keys(rules)].filter((name) => !named.has(name))).toEqual([]);
});
