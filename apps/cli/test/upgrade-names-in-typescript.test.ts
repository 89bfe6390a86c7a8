import { expect, test } from 'vitest';
import type { Ended } from './run-hr.ts';
import { projectWith, textsIn, typeErrorsIn, upgrade } from './upgraded.ts';

const hr = `export interface Address {
  street: string;
  postalCode?: string;
  countryCode?: string;
}
export interface Person {
  id: string;
  address: Address;
  addresses?: readonly Address[];
}
`;
const use = `import type { Address, Person } from './hr.js';
export type Used = Address | Person;
export declare const Line: (address: Address) => string;
`;

type Files = Readonly<Record<string, string>>;

interface ListedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly note?: string;
}

/** Renames in a project, and checks the list of all former names that stay. */
async function renamed(files: Files, types: readonly string[] = ['hr.ts#Person']) {
  const folder = await projectWith({ 'hr.ts': hr, ...files });
  expect(typeErrorsIn(folder)).toEqual([]);
  const flags = types.flatMap((type) => ['--type', type]);
  const { code, stdout } = await upgrade(folder, '.', ...flags, '--write', '--json');
  const places = JSON.parse(stdout) as ListedPlace[];
  const texts = await textsIn(folder, ['hr.ts', ...Object.keys(files)]);
  const listed = places.map(({ file, line, column, name }) => `${file}:${line}:${column} ${name}`);
  expect(listed).toEqual(expect.arrayContaining(formerNamesIn(texts)));
  expect(code).toBe(places.length > 0 ? 1 : 0);
  const notes = places.filter(({ note }) => note !== undefined);
  return {
    texts,
    notes: notes.map(({ file, line, column, name, note }) => `${file}:${line}:${column} ${name}: ${note}`),
    errors: typeErrorsIn(folder),
  };
}

function formerNamesIn(texts: Files): string[] {
  return Object.entries(texts).flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const names = line.matchAll(/\b(?:postalCode|countryCode|timeAccountDays)\b/g);
      return Array.from(names, (name) => `${file}:${index + 1}:${name.index + 1} ${name[0]}`);
    }),
  );
}

const cases: Files = {
  '(a: Address) => [a.postalCode, a?.countryCode, a!["postalCode"]]':
    '(a: Address) => [a.zipCode, a?.country, a!["zipCode"]]',
  '(postalCode: string): Address => ({ street: "", postalCode })':
    '(postalCode: string): Address => ({ street: "", zipCode: postalCode })',
  "(a: Address): Person => ({ id: '1', address: { ...a, 'postalCode': '1' } })":
    "(a: Address): Person => ({ id: '1', address: { ...a, 'zipCode': '1' } })",
  "({ address: { postalCode, countryCode: land = 'DE', ...rest } }: Person) => [postalCode, land, rest]":
    "({ address: { zipCode: postalCode, country: land = 'DE', ...rest } }: Person) => [postalCode, land, rest]",
  '({ address: { street, ...rest } }: Person) => ({ ...rest, street }).postalCode':
    '({ address: { street, ...rest } }: Person) => ({ ...rest, street }).zipCode',
  '(p: Person) => p.addresses?.filter((a) => a.postalCode).map(({ countryCode }) => countryCode)':
    '(p: Person) => p.addresses?.filter((a) => a.zipCode).map(({ country: countryCode }) => countryCode)',
  "(a: Pick<Address, 'street' | 'postalCode'>, b: Partial<Address>, c: Address['countryCode']) => [a.postalCode, b.postalCode, c]":
    "(a: Pick<Address, 'street' | 'zipCode'>, b: Partial<Address>, c: Address['country']) => [a.zipCode, b.zipCode, c]",
  "(a: Address, key: keyof Address = 'postalCode', keys: (keyof Address)[] = ['countryCode', 'postalCode']) => a[key] ?? keys":
    "(a: Address, key: keyof Address = 'zipCode', keys: (keyof Address)[] = ['country', 'zipCode']) => a[key] ?? keys",
  "(key: keyof Address) => { switch (key) { case 'postalCode': return 1; default: return key === 'countryCode'; } }":
    "(key: keyof Address) => { switch (key) { case 'zipCode': return 1; default: return key === 'country'; } }",
  "(f: (key: keyof Address, at: { key: keyof Address }) => void) => f('postalCode', { key: 'countryCode' })":
    "(f: (key: keyof Address, at: { key: keyof Address }) => void) => f('zipCode', { key: 'country' })",
  "(a: Record<keyof Address, string> = { street: '', postalCode: '', countryCode: '' }) => { const { postalCode } = a; return postalCode + a.countryCode; }":
    "(a: Record<keyof Address, string> = { street: '', zipCode: '', country: '' }) => { const { zipCode: postalCode } = a; return postalCode + a.country; }",
  'class implements Address { street = ""; postalCode = "1"; countryCode?: string; zip = () => this.postalCode; }':
    'class implements Address { street = ""; zipCode = "1"; country?: string; zip = () => this.zipCode; }',
  '({ street, postalCode }: Address): unknown => <Line street={street} postalCode={postalCode} />':
    '({ street, zipCode: postalCode }: Address): unknown => <Line street={street} zipCode={postalCode} />',
};

test('renames all that TypeScript knows, and what no longer type-checks', async () => {
  const files = Object.entries(cases).map((codes, index) => {
    const [before, after] = codes.map((code) => `${use}export const f = ${code};\n`);
    return [`${index}.tsx`, before, after] as const;
  });
  const jsx = 'declare namespace JSX { interface Element {} }\n';
  const before = Object.fromEntries(files.map(([name, text]) => [name, text]));
  const { texts, notes, errors } = await renamed({ ...before, 'jsx.d.ts': jsx });
  expect(texts).toEqual({
    'hr.ts': hr.replace('postalCode', 'zipCode').replace('countryCode', 'country'),
    'jsx.d.ts': jsx,
    ...Object.fromEntries(files.map(([name, , text]) => [name, text])),
  });
  expect({ notes, errors }).toEqual({ notes: [], errors: [] });
});

test('renames the types that the named one leads to, where the API has the field or a type has the name of a model', async () => {
  const { texts, notes } = await renamed(
    {
      'own.ts': `import type { Address } from './hr.js';
interface Anschrift { postalCode: string }
export interface Employee {
  address: Promise<Anschrift[]>;
  home: { byYear: Map<number, Partial<Address> | null> };
  phone: { countryCode: string };
  parcels: { postalCode: string }[];
  times: TimeBookingPerson;
}
export interface TimeBookingPerson { personId: string; timeAccountDays: { countryCode: string }[] }
export interface Parcel { postalCode: string }
`,
    },
    ['own.ts#Employee'],
  );
  expect(texts['own.ts']).toBe(`import type { Address } from './hr.js';
interface Anschrift { zipCode: string }
export interface Employee {
  address: Promise<Anschrift[]>;
  home: { byYear: Map<number, Partial<Address> | null> };
  phone: { countryCode: string };
  parcels: { postalCode: string }[];
  times: TimeBookingPerson;
}
export interface TimeBookingPerson { personId: string; days: { countryCode: string }[] }
export interface Parcel { postalCode: string }
`);
  expect(texts['hr.ts']).toContain('zipCode');
  expect(notes).toEqual([]);
});

test('renames a field in all places or in none', async () => {
  const both = `import type { Address } from './hr.js';
export interface Both extends Address { country: string }
export const f = (a: Address & { zipCode?: string }) => a.zipCode ?? a.postalCode;
`;
  const { texts, notes, errors } = await renamed({ 'both.ts': both });
  expect(texts).toEqual({ 'hr.ts': hr, 'both.ts': both });
  expect(notes).toEqual([
    'both.ts:3:34 zipCode: postalCode is not renamed, because zipCode is there, too',
    'both.ts:2:41 country: countryCode is not renamed, because country is there, too',
  ]);
  expect(errors).toEqual([]);
});

test('lists what no longer type-checks', async () => {
  const { notes, errors } = await renamed({
    'label.ts': `import type { Address } from './hr.js';
type Parcel = { postalCode: string; weight: number };
const zip = (a: Address | Parcel) => a.postalCode;
const label = (a: { postalCode?: string }) => a.postalCode;
export const f = (a: Address) => [zip(a), label(a)];
`,
  });
  expect(notes).toEqual([
    'label.ts:3:40 zipCode: error TS2339 after the rename',
    'label.ts:5:49 a: error TS2559 after the rename',
  ]);
  expect(errors).toHaveLength(2);
});

test('changes no file that it does not search', async () => {
  const folder = await projectWith({
    'src/hr.ts': hr,
    'src/old.ts': `import type { Address } from 'old';\nexport interface Person { address: Address }\n`,
    'test/hr.test.ts': `import type { Person } from '../src/hr.js';\nexport const f = (p: Person) => p.address.postalCode;\n`,
    'node_modules/old/package.json': '{ "name": "old", "types": "index.d.ts" }',
    'node_modules/old/index.d.ts': 'export interface Address { postalCode: string }\n',
  });
  const types = ['--type', 'src/hr.ts#Person', '--type', 'src/old.ts#Person'];
  const { code, stderr } = await upgrade(folder, 'src', ...types, '--write');
  expect(code).toBe(1);
  expect(stderr.replaceAll(/ → .*\)/g, '')).toBe(`Left to you:
  test/hr.test.ts:2:43 postalCode: not renamed, because this file was not searched
  node_modules/old/index.d.ts:1:28 postalCode: not renamed, because this file was not searched
  src/hr.ts:3:3 postalCode
Files searched: 2. Places left to you: 3. Files renamed in: 1.
`);
  const texts = await textsIn(folder, ['src/hr.ts', 'test/hr.test.ts', 'node_modules/old/index.d.ts']);
  expect(texts['src/hr.ts']).toBe(hr.replace('countryCode', 'country'));
  expect(JSON.stringify(texts)).not.toContain('zipCode');
});

test('renames types of zod schemas, and finds the project among references', async () => {
  const before = `import { z } from 'zod';
const Address = z.object({ street: z.string(), postalCode: z.string().optional() });
const Person = z.object({ address: Address.optional() });
export type Person = z.infer<typeof Person>;
export const f = ({ address }: Person) => [address?.postalCode, Address.pick({ postalCode: true })];
`;
  const folder = await projectWith(
    {
      'hr.ts': before,
      'tsconfig.json': '{ "files": [], "references": [{ "path": "tsconfig.app.json" }] }',
      'tsconfig.app.json': '{ "compilerOptions": { "composite": true, "module": "nodenext" } }',
    },
    { typescript: 'typescript-6', zod: 'zod' },
  );
  await expect(upgrade(folder, '.', '--type', 'hr.ts#Person', '--write')).resolves.toMatchObject({ code: 0 });
  const { 'hr.ts': text } = await textsIn(folder, ['hr.ts']);
  expect(text).toBe(before.replaceAll('postalCode', 'zipCode'));
});

test.each([
  ['hr.ts', '--type FOLDER/hr.ts: write it as src/hr.ts#Person.'],
  ['no.ts#Person', '--type FOLDER/no.ts#Person: no such file.'],
  ['hr.ts#Persn', '--type: FOLDER/hr.ts exports no type Persn. Name one of these: Address, Person.'],
  ['hr.ts#one', '--type: FOLDER/hr.ts exports no type one. Name one of these: Address, Person.'],
  ['other.ts#Person', '--type: FOLDER/other.ts exports no type Person. None of its types has former names.'],
  ['a.js#Person', '--type: no tsconfig.json includes FOLDER/a.js. Name a file of a TypeScript project.'],
])('refuses --type %s', async (type, message) => {
  const files = {
    'hr.ts': `${hr}export const one = 1;\n`,
    'other.ts': 'export interface Parcel { id: string }\n',
    'a.js': '',
  };
  const folder = await projectWith(files);
  const { code, stderr } = await upgrade(folder, '.', '--type', type);
  expect(`${code} ${stderr}`).toBe(`2 hr: ${message.replaceAll('FOLDER/', '')}\n`);
});

async function upgradeWith(packages: Files): Promise<Ended> {
  const folder = await projectWith({ 'hr.ts': hr }, packages);
  return await upgrade(folder, '.', '--type', 'hr.ts#Person', '--write');
}

test('needs a TypeScript with a language service', async () => {
  const refusal = {
    code: 2,
    stderr: `hr: --type: the project of hr.ts has no TypeScript with a language service, or only version 7. Run: npm install -D @typescript/typescript6\n`,
  };
  await expect(upgradeWith({})).resolves.toMatchObject(refusal);
  await expect(upgradeWith({ typescript: 'typescript' })).resolves.toMatchObject(refusal);
  const both = { typescript: 'typescript', '@typescript/typescript6': 'typescript-6' };
  await expect(upgradeWith(both)).resolves.toMatchObject({ code: 0 });
});
