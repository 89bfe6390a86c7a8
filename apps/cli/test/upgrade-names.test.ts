import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PersonPatch, upgrade } from '@hr/schemas';
import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { MagicString } from 'magic-string';
import { describe, expect, test } from 'vitest';
import type { FileFindings } from '../src/upgrade-names/file-findings.ts';
import { renameInJson } from '../src/upgrade-names/rename-in-json.ts';
import { renameInTypeScript } from '../src/upgrade-names/rename-in-typescript.ts';
import { formerNames } from '../src/upgrade-names/renamed-model.ts';
import { parseTypeScript } from '../src/upgrade-names/syntax.ts';
import { noTypeFacts, TypeLookup, typeFactsOf } from '../src/upgrade-names/type-facts.ts';
import { runHr } from './run-hr.ts';
import { folderWith, upgraded } from './upgraded.ts';

describe('JSON', () => {
  test('renames below address and addresses, where the fields are those of an address, and beside personId', async () => {
    const text = `\uFEFF{\r
\t// The office
  "address": { "floor": 3, "postalCode" :"10115" }, "addresses": [ {"countryCode":"DE"} ],
  "site": {"street": "", "streetNumber": "", "regionCode": "", "note": ""},
  "times": [{ "personId": "1", "timeAccountDays": [], "extra": 1 },],
  /* not the API's */
  "parcel": { "postalCode": "1", "weight": 2 }, "phone": {"countryCode": "+49"}, "timeAccountDays": 1,
  "table": {"postalCode": "zipCode", "countryCode": "country"}, "properties": {"street": {}, "postalCode": {}},
  "both": { "street": "", "postalCode": "1", "zipCode": "2" } }`;
    const { files, left } = await upgraded({ 'a.jsonc': text, 'b.json': '["postalCode"]' });
    expect(files['a.jsonc']).toBe(
      text
        .replace('"postalCode" :"10115"', '"zipCode" :"10115"')
        .replace('{"countryCode":"DE"}', '{"country":"DE"}')
        .replace('"streetNumber": "", "regionCode": ""', '"houseNumber": "", "stateCode": ""')
        .replace('"timeAccountDays": []', '"days": []'),
    );
    expect(left).toContain('a.jsonc:9:27 postalCode: the current name is there, too\n');
    expect(left).toContain('b.json:1:2 postalCode: in a string\n');
  });

  test('changes a patch as upgrade() does', () => {
    const names = Object.entries({ street: 'street', city: 'city', ...Object.fromEntries(formerNames) }).filter(
      ([, current]) => current !== 'days',
    );
    const field = fc.constantFrom(...names).chain(([former, current]) => fc.constantFrom(former, current));
    const entry = fc.tuple(field, fc.constantFrom('1', '', null));
    const old = fc.array(entry, { minLength: 1 }).map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(fc.array(old), fc.constantFrom(0, 2, '\t'), (addresses, indent) => {
        fc.pre(addresses.every((each) => names.every(([a, b]) => a === b || !(a in each && b in each))));
        const text = JSON.stringify({ addresses }, undefined, indent);
        const changed = JSON.parse(rewritten(text, renameInJson(text))) as unknown;
        expect(changed).toEqual(upgrade(PersonPatch, { addresses } as never).data);
      }),
    );
  });
});

test('a second run finds nothing, whatever the first one renamed', () => {
  const name = fc.constantFrom(
    ...[...formerNames].flat(),
    'street',
    'city',
    'personId',
    'weight',
    'address',
    'addresses',
  );
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', 'postalCode', null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      expect(renameInJson(rewritten(text, renameInJson(text))).edits).toEqual([]);
    }),
  );

  const fields = fc.uniqueArray(name, { minLength: 1, maxLength: 5 });
  const local = fc.constantFrom('a', 'b', 'address');
  const type = fc.constantFrom('Address', 'Parcel', 'Partial<Address>[]', 'any', "Person['address']");
  const statement = fc.oneof(
    fc
      .tuple(fc.constantFrom('Address', 'Parcel'), fields)
      .map(([id, all]) => `interface ${id} { ${all.map((each) => `${each}: string;`).join(' ')} }`),
    fc.tuple(local, fields).map(([id, all]) => `use(${all.map((each) => `${id}.${each}`).join(', ')});`),
    fc
      .tuple(local, local, name)
      .map(([one, other, each]) => `{ const ${one} = ${other}.${each}; use(${one}?.['postalCode']); }`),
    fc.tuple(fields, local, type).map(([all, id, of]) => `{ const { ${all.join(', ')} } = ${id} as ${of}; }`),
    fc.tuple(local, type, name).map(([id, of, each]) => `(${id}: ${of}) => ({ ...${id}, ${each}: [${id}.${each}] });`),
    fc.tuple(type, fields).map(([of, all]) => `type T = Pick<${of}, ${all.map((each) => `'${each}'`).join(' | ')}>;`),
    fc.tuple(fields).map(([all]) => `use({ ${all.join(', ')} });`),
  );
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 8 }), (statements) => {
      const text = statements.join('\n');
      const once = rewritten(text, typeScript(text));
      expect(typeScript(once).edits).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

function typeScript(text: string): FileFindings {
  const program = parseTypeScript('a.ts', text);
  return renameInTypeScript(program, new TypeLookup(typeFactsOf(program), noTypeFacts()));
}

function rewritten(text: string, { edits }: FileFindings): string {
  const source = new MagicString(text);
  for (const { start, end, text: current } of edits) {
    if (start === end) source.appendLeft(start, current);
    else source.overwrite(start, end, current);
  }
  return source.toString();
}

test('prints a diff and changes nothing, until --write changes what the diff says', async () => {
  const before = {
    'src/api.ts': `// Straße 🏠\r\ninterface Address { street: string; postalCode: string }\r\n${'// more\r\n'.repeat(20)}use(person.address.postalCode)`,
    'data.json': '{"address":{"postalCode":"1"}}\n',
    'other.ts': 'export {};\n',
  };
  const folder = await folderWith({
    ...before,
    'ignored/data.json': before['data.json'],
    'node_modules/x/data.json': before['data.json'],
    'dist/data.json': before['data.json'],
    'notes.md': 'postalCode',
    '.gitignore': 'ignored\n',
  });
  execFileSync('git', ['init', '--quiet', folder]);
  const outside = await folderWith({ 'data.json': before['data.json'] });
  await symlink(outside, join(folder, 'link'));
  await symlink(join(outside, 'data.json'), join(folder, 'link.json'));
  await chmod(join(folder, 'data.json'), 0o640);
  const texts = async (): Promise<string[]> =>
    await Promise.all(Object.keys(before).map((name) => readFile(join(folder, name), 'utf8')));

  const preview = await runHr(['upgrade-names', folder]);
  expect(preview).toMatchObject({
    code: 1,
    stderr:
      'Would rename 3 names in 2 of 3 files: postalCode → zipCode (3). Run it again with --write to rename them.\n',
  });
  expect(await texts()).toEqual(Object.values(before));

  const written = await runHr(['upgrade-names', '--write', folder]);
  expect(written).toEqual({
    code: 0,
    stdout: preview.stdout,
    stderr: 'Renamed 3 names in 2 of 3 files: postalCode → zipCode (3).\n',
  });
  const patches = parsePatch(preview.stdout);
  expect(patches.map(({ hunks }) => hunks.length)).toEqual([1, 2]);
  const [api, data] = await texts();
  const sources = [before['data.json'], before['src/api.ts']] as const;
  const applied = patches.map((patch, at) => applyPatch(sources[at] ?? '', patch, { autoConvertLineEndings: false }));
  expect(applied).toEqual([data, api]);
  expect(api).toBe(before['src/api.ts'].replaceAll('postalCode', 'zipCode'));
  expect((await stat(join(folder, 'data.json'))).mode & 0o777).toBe(0o640);
  expect((await readdir(folder)).toSorted()).toEqual([
    '.git',
    '.gitignore',
    'data.json',
    'dist',
    'ignored',
    'link',
    'link.json',
    'node_modules',
    'notes.md',
    'other.ts',
    'src',
  ]);
  const others = [join(outside, 'data.json'), join(folder, 'ignored/data.json'), join(folder, 'dist/data.json')];
  const kept = await Promise.all(others.map((file) => readFile(file, 'utf8')));
  expect(new Set(kept)).toEqual(new Set([before['data.json']]));
  await expect(runHr(['upgrade-names', '--write', folder])).resolves.toMatchObject({ code: 0, stdout: '' });
});

test('reports and skips files that do not parse', async () => {
  const folder = await folderWith({
    'a.json': '{\n  "postalCode" "1" }',
    'b.ts': 'const postalCode = ;',
    'e.json': `${'['.repeat(100_000)}"postalCode"${']'.repeat(100_000)}`,
    'd.json': '{"address":{"postalCode":"1"}}',
    'f.ts': '',
    'g.ts': `const postalCode = ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  });
  await writeFile(join(folder, 'c.json'), Buffer.from('{"postalCode":"\xE4"}', 'latin1'));
  await truncate(join(folder, 'f.ts'), 2 ** 29);
  const { code, stderr } = await runHr(['upgrade-names', '--write', folder]);
  expect(code).toBe(3);
  expect(stderr.replaceAll(`${folder}/`, '')).toBe(`Skipped, because they do not parse:
  a.json:2:16 Colon expected
  b.ts:1:20 Unexpected token
  c.json:1:1 It is not UTF-8.
  e.json:1:1 It is nested too deeply.
  f.ts:1:1 It is larger than 256 MiB.
  g.ts:1:1020 It is nested too deeply.
Renamed 1 name in 1 of 7 files: postalCode → zipCode (1).
`);
  expect(await readFile(join(folder, 'd.json'), 'utf8')).toBe('{"address":{"zipCode":"1"}}');
});

test('runs no program of the tree', async () => {
  const folder = await folderWith({ 'a.json': '{"address":{"postalCode":"1"}}' });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')}; false`);
  await expect(runHr(['upgrade-names', folder])).resolves.toMatchObject({ code: 1 });
  expect(await readdir(folder)).not.toContain('ran');
});

test('refuses a path that does not exist, or is another kind of file', async () => {
  const folder = await folderWith({ 'a.md': 'postalCode' });
  const missing = await runHr(['upgrade-names', join(folder, 'nowhere')]);
  expect(missing).toMatchObject({ code: 2, stderr: `hr: ${folder}/nowhere: no such file or folder.\n` });
  await expect(runHr(['upgrade-names', join(folder, 'a.md')])).resolves.toMatchObject({ code: 2 });
});
