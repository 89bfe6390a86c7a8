import { expect, test } from 'vitest';
import { upgraded } from './upgraded.ts';

const address = 'interface Address { street: string; postalCode: string; city: string }\n';
const currentAddress = 'interface Address { street: string; zipCode: string; city: string }\n';

test.each([
  [
    'keys of object literals, in quotes of any kind',
    `const a = { street, 'postalCode': '1', ["countryCode"]: 'DE' };`,
    `const a = { street, 'zipCode': '1', ["country"]: 'DE' };`,
  ],
  [
    'a shorthand, whose variable keeps its name',
    `const body = (postalCode: string) => ({ addresses: [{ postalCode }] });`,
    `const body = (postalCode: string) => ({ addresses: [{ zipCode: postalCode }] });`,
  ],
  [
    'a literal that spreads an address',
    `const moved = (old: { street: string; postalCode: string }) => ({ ...old, postalCode: '1' });`,
    `const moved = (old: { street: string; zipCode: string }) => ({ ...old, zipCode: '1' });`,
  ],
  [
    'accesses to the field address',
    `use(person.address.postalCode, person.address?.regionCode, person!.addresses[0]!['postalCode'], address[\`countryCode\`]);`,
    `use(person.address.zipCode, person.address?.stateCode, person!.addresses[0]!['zipCode'], address[\`country\`]);`,
  ],
  [
    'what comes from the field address',
    `const home = person.address; use(home.postalCode); for (const a of person.addresses) use(a.countryCode);
       use(person.addresses.filter(Boolean).map((a) => a.regionCode), person.addresses.find((a) => a.postalCode === '1')?.streetNumber);`,
    `const home = person.address; use(home.zipCode); for (const a of person.addresses) use(a.country);
       use(person.addresses.filter(Boolean).map((a) => a.stateCode), person.addresses.find((a) => a.zipCode === '1')?.houseNumber);`,
  ],
  [
    'what the code uses like an address',
    'const line = (a: any) => `${a.street} ${a.streetNumber}, ${a.postalCode} ${a.city}`;',
    'const line = (a: any) => `${a.street} ${a.houseNumber}, ${a.zipCode} ${a.city}`;',
  ],
  [
    'destructuring, whose variables keep their names',
    `const { postalCode, countryCode: land = 'DE', addressLine2 = '', ...rest } = person.address; use(postalCode, rest.regionCode);
       const zip = ({ address: { postalCode } }: Person) => postalCode;`,
    `const { zipCode: postalCode, country: land = 'DE', additionalAddressInfo: addressLine2 = '', ...rest } = person.address; use(postalCode, rest.stateCode);
       const zip = ({ address: { zipCode: postalCode } }: Person) => postalCode;`,
  ],
  [
    'members of types and classes, and what has these types',
    `${address}class Location { street = ''; postalCode = ''; format() { return this.postalCode; } }
       const f = (a: Partial<Address> | null, l: readonly Location[]) => a?.postalCode ?? l[0].postalCode ?? new Location().postalCode;
       const load = async (): Promise<Address> => ({ street: '', postalCode: '', city: '' });
       async function g() { return (await load()).postalCode; }`,
    `${currentAddress}class Location { street = ''; zipCode = ''; format() { return this.zipCode; } }
       const f = (a: Partial<Address> | null, l: readonly Location[]) => a?.zipCode ?? l[0].zipCode ?? new Location().zipCode;
       const load = async (): Promise<Address> => ({ street: '', zipCode: '', city: '' });
       async function g() { return (await load()).zipCode; }`,
  ],
  [
    'names in types, and before "in"',
    `${address}type A = Pick<Address, 'postalCode' | 'city'>; type B = Address['postalCode']; type C = Extract<keyof Address, "postalCode">;
       type Field = 'street' | 'postalCode'; const has = (a: Address) => 'postalCode' in a;`,
    `${currentAddress}type A = Pick<Address, 'zipCode' | 'city'>; type B = Address['zipCode']; type C = Extract<keyof Address, "zipCode">;
       type Field = 'street' | 'zipCode'; const has = (a: Address) => 'zipCode' in a;`,
  ],
  [
    'what has the type of a schema, or a generated type',
    `const Place = z.object({ street: z.string(), postalCode: z.string() }).strict();
       const f = (p: z.infer<typeof Place>, q: components['schemas']['Address']) => p.postalCode + q.countryCode;`,
    `const Place = z.object({ street: z.string(), zipCode: z.string() }).strict();
       const f = (p: z.infer<typeof Place>, q: components['schemas']['Address']) => p.zipCode + q.country;`,
  ],
  [
    'strings of the type keyof',
    `${address}const keys: readonly (keyof Address)[] = ['street', 'postalCode']; const key = 'postalCode' satisfies keyof Address;`,
    `${currentAddress}const keys: readonly (keyof Address)[] = ['street', 'zipCode']; const key = 'zipCode' satisfies keyof Address;`,
  ],
  [
    'both parameters of a comparison',
    `${address}const sorted = (list: Address[]) => list.toSorted((a, b) => a.postalCode.localeCompare(b.postalCode));`,
    `${currentAddress}const sorted = (list: Address[]) => list.toSorted((a, b) => a.zipCode.localeCompare(b.zipCode));`,
  ],
  [
    'the state and the attributes of a component',
    `${address}const Form = () => {
         const [draft, setDraft] = useState<Partial<Address>>({ postalCode: '' });
         const change = (event: Event) => setDraft((old) => ({ ...old, postalCode: event.target.value }));
         return <Line street={draft.street} postalCode={draft.postalCode} onChange={change} city={draft.city} />;
       };
       const Line = ({ street, postalCode, city }: Address) => <p>{street}, {postalCode} {city}</p>;`,
    `${currentAddress}const Form = () => {
         const [draft, setDraft] = useState<Partial<Address>>({ zipCode: '' });
         const change = (event: Event) => setDraft((old) => ({ ...old, zipCode: event.target.value }));
         return <Line street={draft.street} zipCode={draft.zipCode} onChange={change} city={draft.city} />;
       };
       const Line = ({ street, zipCode: postalCode, city }: Address) => <p>{street}, {postalCode} {city}</p>;`,
  ],
  [
    'time bookings, beside personId',
    `interface Times { personId: string; timeAccountDays: Day[] }
       const all = (list: Times[]) => list.flatMap(({ timeAccountDays }) => timeAccountDays);
       const one = (times: any) => [times.personId, times.timeAccountDays];`,
    `interface Times { personId: string; days: Day[] }
       const all = (list: Times[]) => list.flatMap(({ days: timeAccountDays }) => timeAccountDays);
       const one = (times: any) => [times.personId, times.days];`,
  ],
])('renames %s', async (_, before, after) => {
  const { files } = await upgraded({ 'a.tsx': before });
  expect(files['a.tsx']).toBe(after);
});

test.each([
  ['a type with other fields', `interface Parcel { postalCode: string; weight: number; carrier: string }`],
  [
    'what has another type',
    `interface Parcel { postalCode: string; weight: number }\n${currentAddress}const f = (address: Parcel) => address.postalCode;`,
  ],
  [
    'a field address of another type',
    `interface Depot { line1: string; line2: string; postalCode: string }\ninterface Shop { address: Depot }\nconst f = (shop: Shop) => shop.address.postalCode;`,
  ],
  [
    'an address of a carrier',
    `const label = { streetLines: [], city: '', stateOrProvinceCode: '', postalCode: '', countryCode: '' };`,
  ],
  [
    'a value without any evidence',
    `const f = async (geocoder: any) => { const place = await geocoder.find('Ulm'); return place.postalCode; };`,
  ],
  [
    'a variable that hides an address',
    `const g = (address: any) => { { const address = new Parcel(); address.postalCode; } };\nclass Parcel { postalCode = ''; weight = 1; tare = 2 }`,
  ],
  [
    'local names',
    `const postalCode = '1'; export function countryCode(regionCode: string) { return postalCode + regionCode; }`,
  ],
  [
    'strings',
    `register('postalCode'); const sql = \`select "postalCode" from \${table}\`; const columns = ['street', 'postalCode'];`,
  ],
  ['a table of the names', `const renames = { postalCode: 'zipCode', countryCode: 'country' };`],
  ['data that is upgraded', `const { data } = upgrade(PersonPatch, { addresses: [{ street: '', postalCode: '1' }] });`],
  [
    'data for a program with former names',
    `const old: Downgraded<Address> = { street: '', postalCode: '1' }; use(old.postalCode);`,
  ],
  [
    'a JSON Schema',
    `const schema = { properties: { street: { type: 'string' }, postalCode: { type: 'string' } }, required: ['postalCode'] };`,
  ],
  [
    'what a map returns, though a class has a method of the same name',
    `${currentAddress}class Addresses { get(): Address { return this.first; } }\nconst f = (parcels: any) => parcels.get('1').postalCode;`,
  ],
  [
    'an address with both names',
    `const a = { street: '', postalCode: '1', zipCode: '1' }; use(b.street, b.city, b.zipCode ?? b.postalCode);`,
  ],
])('leaves %s', async (_, code) => {
  const { files } = await upgraded({ 'a.ts': code });
  expect(files['a.ts']).toBe(code);
});

test('knows the types of other files', async () => {
  const { files } = await upgraded({
    'types.ts': `export ${address}export interface Employee { home: Address }\nexport declare function locate(): Address;`,
    'use.mts': `import type { Employee } from './types.js';\nexport const f = (e: Employee) => [e.home.postalCode, locate().postalCode];`,
    'alias.cts': `import { type Address as A } from '@hr/schemas';\nexport const g = (a: A) => a.postalCode;`,
  });
  expect(files['use.mts']).toContain('[e.home.zipCode, locate().zipCode]');
  expect(files['alias.cts']).toContain('a.zipCode');
});

test('lists the places it leaves, and why', async () => {
  const { left } = await upgraded({
    'a.ts': `use(place.postalCode);\n  t('form.postalCode');\nconst a = { street: '', postalCode: '1', zipCode: '1' };\n`,
  });
  expect(left).toBe(`Left as they are, for you to check:
  a.ts:1:11 postalCode: not clear that it is a field of the API
  a.ts:2:5 postalCode: in a string
  a.ts:3:25 postalCode: the current name is there, too
Nothing to rename in 1 file.
`);
});
