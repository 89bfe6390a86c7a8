import type { Absence, Person, TokenRequest, VariablePayment } from '@hr/schemas';
import * as namespace from 'fast-check';
import fc, { type Arbitrary } from 'fast-check';
import { expectTypeOf, test } from 'vitest';
import {
  company,
  fixtures,
  type Builder,
  type Fixtures,
  type HrTestingError,
  type HrTestingErrorCode,
  type InvalidVariant,
  type Member,
  type Overrides,
} from '../src/fixtures/index.ts';

const { person, personDelta, personPatch, absence, tokenRequest, variablePayment, reset } = fixtures({ seed: 7 });

test('builders make values of the models', () => {
  expectTypeOf(fixtures()).toEqualTypeOf<Fixtures>();
  expectTypeOf(reset).toEqualTypeOf<() => void>();
  expectTypeOf(person.build()).toEqualTypeOf<Person>();
  expectTypeOf(absence.list(2)).toEqualTypeOf<Absence[]>();
  expectTypeOf(person.with('leaver', 'partTime').build()).toEqualTypeOf<Person>();
  expectTypeOf(person.with('leaver').with('partTime')).toEqualTypeOf(person);
  expectTypeOf(person.invalid()).toEqualTypeOf<InvalidVariant<Person>[]>();
  expectTypeOf(person.invalid()[0]?.value).toBeUnknown();
  expectTypeOf(person.arbitrary(fc)).toEqualTypeOf<Arbitrary<Person>>();
  expectTypeOf(variablePayment.arbitrary(namespace)).toEqualTypeOf<Arbitrary<VariablePayment>>();
  expectTypeOf<'leaver'>().toExtend<(typeof person.traits)[number]>();
  expectTypeOf(tokenRequest.traits).toEqualTypeOf<readonly never[]>();
});

test('any builder of a model is a builder of it', () => {
  expectTypeOf(person).toExtend<Builder<Person>>();
  expectTypeOf(tokenRequest).toExtend<Builder<TokenRequest>>();
  expectTypeOf(person).not.toExtend<Builder<Absence>>();
});

test('overrides have a part of any object, whole arrays, and undefined for optional fields', () => {
  expectTypeOf<typeof person.build>().parameter(0).toEqualTypeOf<Overrides<Person> | undefined>();
  expectTypeOf<Person>().toExtend<Overrides<Person>>();
  expectTypeOf<{ address: { city: string } }>().toExtend<Overrides<Person>>();
  expectTypeOf<{ address: { city: undefined }; jobTitle: undefined }>().toExtend<Overrides<Person>>();
  expectTypeOf<{ employments: [{ payrollContractId: string }] }>().toExtend<Overrides<Person>>();
  expectTypeOf<{ address: null }>().not.toExtend<Overrides<Person>>();
  expectTypeOf<{ id: undefined }>().not.toExtend<Overrides<Person>>();
  // An element of an array needs all required fields.
  expectTypeOf<{ employments: [{ start: string }] }>().not.toExtend<Overrides<Person>>();
});

test('a company is iterable in both ways', () => {
  expectTypeOf(company({ persons: 1 })).toExtend<Iterable<Member>>();
});

test('errors have a code', () => {
  expectTypeOf<HrTestingError['code']>().toEqualTypeOf<HrTestingErrorCode>();
});

test('misuse does not compile', () => {
  // Never called: that it compiles with these comments is the test.
  expectTypeOf(() => {
    // @ts-expect-error -- no such option
    fixtures({ sead: 7 });
    // @ts-expect-error -- no such trait
    person.with('retired');
    // @ts-expect-error -- a trait of another model
    absence.with('leaver');
    // @ts-expect-error -- this model has no traits
    tokenRequest.with('leaver');
    // @ts-expect-error -- no such field
    person.build({ shoeSize: 43 });
    // @ts-expect-error -- no such field
    person.build({ address: { town: 'Bonn' } });
    // @ts-expect-error -- no such field
    person.list(3, { address: { town: 'Bonn' } });
    // @ts-expect-error -- no such field
    person.build({ employments: [{ payrollContractId: '1-77', workingHours: { yearly: 1700 } }] });
    // @ts-expect-error -- no such field
    person.with('partTime').build({ legalEntity: { name: 'AG' } });
    // @ts-expect-error -- no such field
    personDelta.build({ address: { town: 'Bonn' } });
    // @ts-expect-error -- no such field
    personPatch.build({ bankDetails: { account: '1' } });
    // @ts-expect-error -- not a string
    person.build({ address: { city: 5 } });
    // @ts-expect-error -- an array is given whole
    person.build({ groups: { id: 'it' } });
    // @ts-expect-error -- an id cannot be left out
    person.build({ id: undefined });
    // @ts-expect-error -- a required field cannot be left out
    person.build({ legalEntity: { id: undefined } });
    // @ts-expect-error -- you pass in fast-check
    person.arbitrary();
    // @ts-expect-error -- a company has a size
    company({});
    for (const variant of person.invalid()) {
      // @ts-expect-error -- what is invalid is no person
      person.build(variant.value);
    }
  }).toBeFunction();
});
