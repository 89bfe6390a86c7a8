import type { Absence, Person, TokenRequest, VariablePayment } from '@hr/schemas';
import type { Arbitrary } from 'fast-check';
import * as namespace from 'fast-check';
import fc from 'fast-check';
import { expectTypeOf, test } from 'vitest';
import { absence, company, person, tokenRequest, variablePayment } from '../src/fixtures/index.ts';
import type { Builder, InvalidVariant, Member } from '../src/fixtures/index.ts';

test('what builders make is of the models', () => {
  expectTypeOf(person.build()).toEqualTypeOf<Person>();
  expectTypeOf(absence.list(2)).toEqualTypeOf<Absence[]>();
  expectTypeOf(person.with('leaver', 'partTime').build()).toEqualTypeOf<Person>();
  expectTypeOf(person.seeded(1).with('leaver').with('partTime')).toEqualTypeOf(person);
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

test('a company is iterable in both ways', () => {
  expectTypeOf(company({ persons: 1 })).toExtend<Iterable<Member>>();
});

test('misuse does not compile', () => {
  // Never called: that it compiles with these comments is the test.
  expectTypeOf(() => {
    // @ts-expect-error -- no such trait
    person.with('retired');
    // @ts-expect-error -- a trait of another model
    absence.with('leaver');
    // @ts-expect-error -- this model has no traits
    tokenRequest.with('leaver');
    // @ts-expect-error -- no such field
    person.build({ shoeSize: 43 });
    // @ts-expect-error -- an id cannot be left out
    person.build({ id: undefined });
    // @ts-expect-error -- fast-check is handed in
    person.arbitrary();
    // @ts-expect-error -- a company has a size
    company({});
    for (const variant of person.invalid()) {
      // @ts-expect-error -- what is invalid is no person
      person.build(variant.value);
    }
  }).toBeFunction();
});
