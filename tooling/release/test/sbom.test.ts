import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import { checkLicenses, sbomOf } from '../src/sbom.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot7);
const bundled = [
  { name: '@mantine/core', version: '9.7.3', identifier: 'MIT' },
  // The backend needs it, too.
  { name: 'ky', version: '2.1.0', identifier: 'MIT' },
];

test.each(['@hr/auth', '@hr/client', '@hr/schemas', '@hr/testing', 'service', 'console', 'cli'])(
  'the contents of %s are CycloneDX, and the same each time',
  async (name) => {
    const text = await sbomOf(workspace, name, name === 'console' ? bundled : []);
    expect(await validator.validate(text)).toBeNull();
    expect(await sbomOf(workspace, name, name === 'console' ? bundled : [])).toBe(text);
    expect(text).not.toMatch(/"serialNumber"|"timestamp"|\.tgz|file:/);
    expect(text).not.toContain(workspace);
  },
);

test('the validator finds faults', async () => {
  const text = await sbomOf(workspace, '@hr/auth');
  expect(await validator.validate(text.replace('"purl"', '"url"'))).not.toBeNull();
});

test('the contents of a package are what it depends on, with their checksums', async () => {
  const { components, dependencies } = JSON.parse(await sbomOf(workspace, '@hr/client')) as {
    readonly components: readonly { readonly name: string; readonly purl: string; readonly hashes?: unknown }[];
    readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
  };
  expect(components.map(({ name, hashes }) => [name, hashes])).toEqual([
    ['schemas', undefined],
    ['ky', [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]],
    ['zod', [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]],
  ]);
  expect(new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))).toEqual(
    new Set(components.map(({ purl }) => purl)),
  );
});

test('the contents of an app include what is bundled, once', async () => {
  const { components } = JSON.parse(await sbomOf(workspace, 'console', bundled)) as {
    readonly components: readonly { readonly purl: string }[];
  };
  const purls = components.map(({ purl }) => purl);
  for (const purl of ['pkg:npm/%40mantine/core@9.7.3', 'pkg:npm/ky@2.1.0'])
    expect(purls.filter((one) => one === purl)).toHaveLength(1);
});

test('a license that is not allowed is a fault with the way to decide', () => {
  expect(() =>
    checkLicenses('service', [
      { purl: 'pkg:npm/fine@1.0.0', licenses: [{ license: { id: 'MIT' } }] },
      { purl: 'pkg:npm/%40hr/auth@1.0.0', group: '@hr', licenses: [{ license: { name: 'UNLICENSED' } }] },
      { purl: 'pkg:npm/copyleft@1.0.0', licenses: [{ license: { id: 'MIT' } }, { license: { id: 'GPL-3.0-only' } }] },
      { purl: 'pkg:npm/choice@1.0.0', licenses: [{ expression: '(MIT OR GPL-3.0-only)' }] },
      { purl: 'pkg:npm/named@1.0.0', licenses: [{ license: { name: 'SEE LICENSE IN FILE' } }] },
      { purl: 'pkg:npm/none@1.0.0' },
    ]),
  ).toThrow(
    'service contains packages whose licenses are not allowed: ' +
      'pkg:npm/copyleft@1.0.0 has the license MIT, GPL-3.0-only; ' +
      'pkg:npm/choice@1.0.0 has the license (MIT OR GPL-3.0-only); ' +
      'pkg:npm/named@1.0.0 has the license SEE LICENSE IN FILE; pkg:npm/none@1.0.0 has no license. Use other packages, ' +
      'or let the legal department decide, and add the license to ALLOWED in tooling/release/src/sbom.ts.',
  );
});
