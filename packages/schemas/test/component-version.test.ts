import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareComponentVersions, isComponentVersion, REQUIRED_TIME_COMPONENT_VERSION } from '../src/rules/index.ts';

test.each([
  ['63.11.9', -1],
  ['63.11.19', -1],
  ['63.2.99', -1],
  ['9.99.99', -1],
  ['63.11', -1],
  ['63.11.20', 0],
  ['63.11.20.0', 0],
  ['063.11.20', 0],
  ['63.11.20.1', 1],
  ['63.11.100', 1],
  ['63.12', 1],
  ['64', 1],
  ['100.0.0', 1],
])('%s beside the required version: %d', (version, expected) => {
  expect(isComponentVersion(version)).toBe(true);
  expect(Math.sign(compareComponentVersions(version, REQUIRED_TIME_COMPONENT_VERSION))).toBe(expected);
  expect(Math.sign(compareComponentVersions(REQUIRED_TIME_COMPONENT_VERSION, version))).toBe(0 - expected);
});

test.each([
  '',
  '63.',
  '.63',
  '63..11',
  'v63.11.20',
  '63.11.20-rc1',
  '63,11',
  ' 63',
  '63\n',
  '١',
  `${'1.'.repeat(50)}1`,
])('%o is no version', (version) => {
  expect(isComponentVersion(version)).toBe(false);
});

test('versions have one order', () => {
  const version = fc
    .array(fc.nat({ max: 999_999_999 }), { minLength: 1, maxLength: 4 })
    .map((numbers) => numbers.join('.'));
  const law = fc.property(version, version, version, (a, b, c) => {
    expect(compareComponentVersions(a, a)).toBe(0);
    const [first, second, third] = [a, b, c].toSorted(compareComponentVersions) as [string, string, string];
    expect(compareComponentVersions(first, second)).toBeLessThanOrEqual(0);
    expect(compareComponentVersions(first, third)).toBeLessThanOrEqual(0);
  });
  fc.assert(law);
});
