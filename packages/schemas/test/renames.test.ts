import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  Address,
  currentName,
  downgrade,
  lenient,
  Person,
  PersonDelta,
  PersonPatch,
  PostOfficeBox,
  renames,
  StreetAddress,
  TimeBookingPerson,
  upgrade,
  VariablePayment,
  VariablePaymentRequest,
  type Downgraded,
  type Lenient,
} from '../src/index.ts';
import { models } from './models.ts';

// Section 9 of the specification.
const table = [
  ['streetNumber', 'houseNumber'],
  ['addressLine2', 'additionalAddressInfo'],
  ['postalCode', 'zipCode'],
  ['regionCode', 'stateCode'],
  ['countryCode', 'country'],
  ['timeAccountDays', 'days'],
] as const;

const oldAddress = {
  street: 'Hauptstr.',
  streetNumber: '5a',
  addressLine2: 'c/o Roth',
  postalCode: '10115',
  regionCode: 'DE-BE',
  countryCode: 'DE',
};
const address = {
  street: 'Hauptstr.',
  houseNumber: '5a',
  additionalAddressInfo: 'c/o Roth',
  zipCode: '10115',
  stateCode: 'DE-BE',
  country: 'DE',
};

test.each(table)('%s is now %s', (former, current) => {
  expect(currentName(former)).toBe(current);
  expect(currentName(current)).toBeUndefined();
});

test('the table has these names and no other, for models that exist and have the present name', () => {
  const listed = Object.values<Record<string, string>>(renames).flatMap((names) => Object.entries(names));
  expect(new Set(listed.map(String))).toEqual(new Set(table.map(String)));
  for (const [model, names] of Object.entries(renames) as [keyof typeof renames, Record<string, string>][]) {
    const { schema } = models[model];
    expect(schema.meta()?.id).toBe(model);
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(Object.values(names)));
  }
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('%o is no former name', (name) => {
  expect(currentName(name)).toBeUndefined();
});

describe('upgrade', () => {
  test('renames wherever an address is', () => {
    expect(upgrade(Person, { id: '1', address: oldAddress }).data).toEqual({ id: '1', address });
    expect(upgrade(PersonPatch, { addresses: [oldAddress, address] }).data).toEqual({ addresses: [address, address] });
    expect(upgrade(StreetAddress, oldAddress).data).toEqual(address);
    expect(upgrade(PostOfficeBox, { postOfficeBox: '7', postalCode: '10115' }).data).toEqual({
      postOfficeBox: '7',
      zipCode: '10115',
    });
    expect(upgrade(Person.array(), [{ id: '1' }, { id: '2', address: oldAddress }]).data).toEqual([
      { id: '1' },
      { id: '2', address },
    ]);
  });

  test('renames the days of time bookings, and of nothing else', () => {
    expect(upgrade(TimeBookingPerson.array(), [{ personId: '1', timeAccountDays: [{ date: '2026-01-31' }] }])).toEqual({
      data: [{ personId: '1', days: [{ date: '2026-01-31' }] }],
      renamed: [{ pointer: '/0/timeAccountDays', former: 'timeAccountDays', current: 'days', dropped: false }],
    });
    expect(upgrade(VariablePayment, { timeAccountDays: 3 } as unknown).data).toEqual({ timeAccountDays: 3 });
  });

  test('says what it renamed, by places and names only', () => {
    const { renamed } = upgrade(Person.array(), [{ id: '1', address: oldAddress }]);
    expect(renamed).toEqual(
      table
        .slice(0, 5)
        .map(([former, current]) => ({ pointer: `/0/address/${former}`, former, current, dropped: false })),
    );
    for (const value of Object.values(oldAddress)) expect(JSON.stringify(renamed)).not.toContain(value);
  });

  test.each([
    ['the present value wins', { postalCode: 'old', zipCode: 'new' }, { zipCode: 'new' }, true],
    ['in whatever order', { zipCode: 'new', postalCode: 'old' }, { zipCode: 'new' }, true],
    ['an empty text is a value', { postalCode: 'old', zipCode: '' }, { zipCode: '' }, true],
    ['null is none', { postalCode: 'old', zipCode: null }, { zipCode: 'old' }, false],
    ['null is none, before it too', { zipCode: null, postalCode: 'old' }, { zipCode: 'old' }, false],
    ['undefined is none', { postalCode: 'old', zipCode: undefined }, { zipCode: 'old' }, false],
  ])('where both names are there, %s', (_, old, data, dropped) => {
    const renamed = [{ pointer: '/postalCode', former: 'postalCode', current: 'zipCode', dropped }];
    expect(upgrade(Address, old as unknown)).toEqual({ data, renamed });
  });

  test('leaves what it does not know as it is', () => {
    for (const strange of [null, undefined, 5, 'x', [], [oldAddress]]) {
      expect(upgrade(Person, strange as unknown)).toEqual({ data: strange, renamed: [] });
      const person = { id: '1', address: strange, shoeSize: { postalCode: '43' } };
      expect(upgrade(Person, person as unknown)).toEqual({ data: person, renamed: [] });
    }
    const hostile: unknown = JSON.parse('{"id":"1","__proto__":{"postalCode":"x"},"constructor":{"postalCode":"x"}}');
    expect(JSON.stringify(upgrade(Person, hostile).data)).toBe(JSON.stringify(hostile));
  });

  test('takes its own result as it is', () => {
    const law = fc.property(fc.dictionary(fc.constantFrom(...table.flat(), 'street'), fc.jsonValue()), (old) => {
      const { data } = upgrade(Address, old as unknown);
      expect(upgrade(Address, data)).toEqual({ data, renamed: [] });
    });
    fc.assert(law);
  });

  test('leaves the old data alone', () => {
    const old = Object.freeze({ id: '1', address: Object.freeze({ ...oldAddress }) });
    upgrade(Person, old);
    expect(old.address).toEqual(oldAddress);
  });
});

describe('downgrade', () => {
  test('writes every former name', () => {
    expect(downgrade(Address, address)).toEqual(oldAddress);
    expect(downgrade(PersonPatch, { addresses: [address] })).toEqual({ addresses: [oldAddress] });
    expect(downgrade(TimeBookingPerson, { personId: '1', days: [] })).toEqual({ personId: '1', timeAccountDays: [] });
  });

  test('keeps null, unknown fields and the days of a payment', () => {
    const person = { id: '1', firstName: null, address: { zipCode: null, floor: 3 } };
    const old = { id: '1', firstName: null, address: { postalCode: null, floor: 3 } };
    expect(downgrade(lenient(Person), person)).toEqual(old);
    const payment = { compensationComponentId: 'BONUS', days: 3 };
    expect(downgrade(VariablePaymentRequest, payment)).toEqual(payment);
  });

  test.each(['Address', 'Person', 'PersonPatch', 'PostOfficeBox', 'StreetAddress', 'TimeBookingPerson'] as const)(
    'upgrade gives back a downgraded %s',
    (name) => {
      const model: z.ZodType = models[name].schema;
      const law = fc.property(fc.array(models[name].specified.valid, { maxLength: 3 }), (values) => {
        const { data, renamed } = upgrade(model.array(), downgrade(model.array(), values));
        expect(data).toEqual(values);
        expect(renamed.every(({ dropped }) => !dropped)).toBe(true);
      });
      fc.assert(law, { numRuns: 50 });
    },
  );
});

test('types follow the table', () => {
  const old: Downgraded<Person> = { id: '1', address: oldAddress };
  const person: Person = upgrade(Person, old).data;
  const patch: Downgraded<PersonPatch> = { addresses: [oldAddress] };
  const time: Downgraded<TimeBookingPerson> = { personId: '1', timeAccountDays: [{ date: '2026-01-31' }] };
  const payment: Downgraded<VariablePaymentRequest> = { compensationComponentId: 'BONUS', days: 3 };
  // @ts-expect-error -- the present name is not there any more
  const wrong: Downgraded<Person> = { id: '1', address: { zipCode: '10115' } };
  // @ts-expect-error -- data of an unknown type stays unknown
  const unchecked: Person = upgrade(Person, {} as unknown).data;
  expect([person, patch, time, payment, wrong, unchecked]).toHaveLength(6);
});

test('downgraded data has the type of its model, not of what was passed', () => {
  const old = downgrade(Person, { id: '1', address: { zipCode: '10115' } });
  expectTypeOf(old).toEqualTypeOf<Downgraded<Person>>();
  expectTypeOf(downgrade(lenient(Person).array(), [])).toEqualTypeOf<Downgraded<Lenient<Person>>[]>();
  // @ts-expect-error -- the current name is not there any more
  expect(old.address?.zipCode).toBeUndefined();
  // @ts-expect-error -- not a person
  expect(downgrade(Person, { id: 1 })).toEqual({ id: 1 });
});

test('a list of changes is rewritten too, where a field may be null', () => {
  const now = { id: '1', address: { zipCode: '10115' }, bankDetails: null };
  const before = { id: '1', address: { postalCode: '10115' }, bankDetails: null };
  expect(upgrade(PersonDelta, before).data).toEqual(now);
  expect(downgrade(PersonDelta, now)).toEqual(before);
});

test('a tolerant reader upgrades like its model, at every depth', () => {
  const old = [{ id: '1', address: { postalCode: '10115' }, shoeSize: 43 }];
  const { data, renamed } = upgrade(lenient(Person).array(), old);
  expect(data).toEqual([{ id: '1', address: { zipCode: '10115' }, shoeSize: 43 }]);
  expect(renamed.map(({ pointer }) => pointer)).toEqual(['/0/address/postalCode']);
  expect(upgrade(lenient(TimeBookingPerson), { personId: '1', timeAccountDays: [] }).data).toEqual({
    personId: '1',
    days: [],
  });
  expect(upgrade(lenient(lenient(StreetAddress)), { streetNumber: '5a' }).data).toEqual({ houseNumber: '5a' });
});
