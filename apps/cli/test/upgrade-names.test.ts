import { execFileSync } from 'node:child_process';
import { chmod, readdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import { expect, test } from 'vitest';
import { folderWith, projectWith, textsIn, upgrade } from './upgraded.ts';

test('lists former names in text of any kind, and changes nothing', async () => {
  const files = {
    'a.js': `const { postalCode } = person.address;\n\n// the postalCode, but no postalCodes\n`,
    'b.vue': `<template>{{ address.postalCode }}</template>\n`,
    'c.py': `zip = person["address"]["postalCode"]\r\ndays = times['timeAccountDays']\r\n`,
    'd.json': `\uFEFF{"shop":{"postalCode":"1","countryCode":"DE"}}`,
    'e.txt': 'zipCode, postal_code, äpostalcode\n',
  };
  const folder = await folderWith(files);
  const { code, stdout, stderr } = await upgrade(folder, '.');
  const address = 'Address, StreetAddress, PostOfficeBox';
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `Left to you:
  a.js:1:9 postalCode → zipCode (${address})
  a.js:3:8 postalCode → zipCode (${address})
  b.vue:1:22 postalCode → zipCode (${address})
  c.py:1:26 postalCode → zipCode (${address})
  c.py:2:15 timeAccountDays → days (TimeBookingPerson)
  d.json:1:11 postalCode → zipCode (${address})
  d.json:1:28 countryCode → country (${address})
Files searched: 5. Places left to you: 7.
`,
  });
  expect(await textsIn(folder, Object.keys(files))).toEqual(files);
  const csv = await upgrade(folder, 'c.py', '--output=csv', '--fields=line,name,current');
  expect(csv).toMatchObject({
    code: 1,
    stdout: 'line,name,current\r\n1,postalCode,zipCode\r\n2,timeAccountDays,days\r\n',
  });
  await expect(upgrade(folder, 'e.txt')).resolves.toMatchObject({
    code: 0,
    stderr: 'Files searched: 1. Places left to you: 0.\n',
  });
});

test('lists at most 20 places of a file for people, and all of them as records', async () => {
  const folder = await folderWith({ 'a.json': JSON.stringify(Array.from({ length: 30 }, () => 'postalCode')) });
  const { stderr } = await upgrade(folder, '.');
  expect(stderr.match(/a\.json:1:\d+/g)).toHaveLength(20);
  expect(stderr).toContain('\n  a.json: 10 more\n');
  const { stdout } = await upgrade(folder, '.', '--json');
  expect(JSON.parse(stdout)).toHaveLength(30);
});

test('prints a diff and changes nothing, until --write changes what the diff says', async () => {
  const before = {
    'src/api.ts': `// Straße 🏠\r\nexport interface Address { street: string; postalCode: string }\r\n${'// more\r\n'.repeat(20)}export const f = (a: Address) => a.postalCode`,
    'src/bom.ts': `\uFEFFimport type { Address } from './api.js';\nexport const g = (a: Address) => a.postalCode;\n`,
    'src/other.ts': 'export {};\n',
  };
  const folder = await projectWith({
    ...before,
    'ignored/data.json': 'postalCode',
    'dist/data.json': 'postalCode',
    'clone/ignored/data.json': '',
    '.gitignore': 'ignored\n',
    '.env': '',
  });
  execFileSync('git', ['init', '--quiet', folder]);
  execFileSync('git', ['init', '--quiet', join(folder, 'clone')]);
  const outside = await folderWith({ 'data.json': 'postalCode' });
  await symlink(outside, join(folder, 'link'));
  await symlink(join(outside, 'data.json'), join(folder, 'link.json'));
  await chmod(join(folder, 'src/bom.ts'), 0o640);

  const preview = await upgrade(folder, '.', '--type', 'src/api.ts#Address');
  expect(preview).toMatchObject({
    code: 1,
    stderr: 'Files searched: 7. Places left to you: 0. Files to rename in, with --write: 2.\n',
  });
  expect(await textsIn(folder, Object.keys(before))).toEqual(before);

  const written = await upgrade(folder, '.', '--type', 'src/api.ts#Address', '--write');
  expect(written).toEqual({
    code: 0,
    stdout: preview.stdout,
    stderr: 'Files searched: 7. Places left to you: 0. Files renamed in: 2.\n',
  });
  const patches = parsePatch(preview.stdout);
  expect(patches.map(({ hunks }) => hunks.length)).toEqual([2, 1]);
  const after = await textsIn(folder, Object.keys(before));
  const sources = [before['src/api.ts'], before['src/bom.ts']];
  const applied = patches.map((patch, at) => applyPatch(sources[at] ?? '', patch, { autoConvertLineEndings: false }));
  expect(applied).toEqual([after['src/api.ts'], after['src/bom.ts']]);
  expect(after['src/api.ts']).toBe(before['src/api.ts'].replaceAll('postalCode', 'zipCode'));
  expect(after['src/bom.ts']).toBe(before['src/bom.ts'].replaceAll('postalCode', 'zipCode'));
  expect((await stat(join(folder, 'src/bom.ts'))).mode & 0o777).toBe(0o640);
  expect(await readdir(join(folder, 'src'))).toEqual(['api.ts', 'bom.ts', 'other.ts']);
});

test('replaces all files or none', async () => {
  // The temporary file beside it has a name that is too long.
  const long = `${'z'.repeat(240)}.ts`;
  const files = {
    'hr.ts': 'export interface Address { postalCode: string }\n',
    [long]: `import type { Address } from './hr.js';\nexport const f = (a: Address) => a.postalCode;\n`,
  };
  const folder = await projectWith(files);
  const { code, stderr } = await upgrade(folder, '.', '--type', 'hr.ts#Address', '--write');
  expect(code).toBe(1);
  expect(stderr).toBe(`hr: Cannot write ${long}: its name is too long. Choose a shorter one.\n`);
  expect(await textsIn(folder, Object.keys(files))).toEqual(files);
});

test('names the files that it does not read', async () => {
  const folder = await folderWith({ 'a.png': 'PNG\0', 'b.ts': '', 'c.txt': 'postalCode' });
  await expect(upgrade(folder, 'a.png')).resolves.toMatchObject({ code: 0 });
  await truncate(join(folder, 'b.ts'), 2 ** 29);
  await writeFile(join(folder, 'd.json'), Buffer.from('{"postalCode":"\xE4"}', 'latin1'));
  await writeFile(join(folder, 'e.txt'), Buffer.from('\uFEFFpostalCode', 'utf16le'));
  const { code, stderr } = await upgrade(folder, '.');
  expect(code).toBe(3);
  expect(stderr.slice(stderr.indexOf('Not read'))).toBe(`Not read:
  a.png: binary
  b.ts: larger than 256 MiB
  d.json: not UTF-8
  e.txt: not UTF-8
Files searched: 5. Places left to you: 1.
`);
});

test('runs no program of the tree', async () => {
  const folder = await folderWith({ 'a.json': 'postalCode' });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')}; false`);
  await expect(upgrade(folder, '.')).resolves.toMatchObject({ code: 1 });
  expect(await readdir(folder)).not.toContain('ran');
});

test('refuses a path that does not exist', async () => {
  const folder = await folderWith({});
  const missing = await upgrade(folder, 'nowhere');
  expect(missing).toMatchObject({ code: 2, stderr: 'hr: nowhere: no such file or folder.\n' });
});
