import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as main from '../src/index.ts';
import * as provider from '../src/provider/index.ts';
import * as rules from '../src/rules/index.ts';

const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');

test('every export is named', () => {
  const named = new Set(readme.match(/\w+/g));
  expect([main, rules, provider].flatMap(Object.keys).filter((name) => !named.has(name))).toEqual([]);
});

test('every code of an issue is named', () => {
  const source = readFileSync(path.join(import.meta.dirname, '../src/issues.ts'), 'utf8');
  const codes = Array.from(source.matchAll(/^ {2}\| '([\w-]+)'/gm), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(5);
  expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
});
