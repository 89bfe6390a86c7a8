import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Person, PersonDelta, type PersonPatch } from '../src/index.ts';
import {
  applyDelta,
  deletedPerson,
  erasedPerson,
  applyPatch,
  fieldsOf,
  ownerOf,
  personDelta,
  systems,
} from '../src/rules/index.ts';
import * as specification from './specification.ts';

const person = specification.Person.valid as fc.Arbitrary<Person>;

describe('ownership', () => {
  test('every field of a person but the id has one owner', () => {
    const owned = systems.flatMap(fieldsOf);
    expect(owned.toSorted()).toEqual(
      Object.keys(specification.Person.fields)
        .filter((field) => field !== 'id')
        .toSorted(),
    );
    for (const system of systems) for (const field of fieldsOf(system)) expect(ownerOf(field)).toBe(system);
  });

  test('payroll and time own what is theirs, the master system the rest', () => {
    expect(fieldsOf('payroll')).toEqual(['bankDetails', 'employments']);
    expect(fieldsOf('time')).toEqual(['keyNumber']);
    expect(ownerOf('payrollContractIds')).toBe('master');
    expect(ownerOf('constructor')).toBe('master');
  });
});

describe('a delta', () => {
  const changed = fc.subarray([...systems]);

  test('holds the id and every field of the systems that changed, null for none', () => {
    const law = fc.property(person, changed, (whole, from) => {
      const delta = personDelta(whole, from);
      expect(Object.keys(delta).toSorted()).toEqual(['id', ...from.flatMap(fieldsOf)].toSorted());
      for (const [field, value] of Object.entries(delta)) expect(value).toEqual(whole[field as keyof Person] ?? null);
      expect(PersonDelta.parse(delta)).toEqual(delta);
    });
    fc.assert(law, { numRuns: 50 });
  });

  test('applied to the old view gives the new one', () => {
    const law = fc.property(person, person, changed, (old, other, from) => {
      // In answers the middle name is always empty.
      const before = { ...old, middleName: '' };
      const after: Partial<Record<keyof Person, unknown>> = { ...before };
      for (const field of from.flatMap(fieldsOf)) {
        delete after[field];
        const value = field === 'middleName' ? '' : other[field];
        if (value !== undefined) after[field] = value;
      }
      expect(applyDelta(before, personDelta(after as Person, from))).toEqual(after);
    });
    fc.assert(law, { numRuns: 200 });
  });

  test('applied twice is applied once, and nothing changed is nothing', () => {
    const law = fc.property(person, person, changed, (old, other, from) => {
      const delta = personDelta({ ...other, id: old.id }, from);
      const once = applyDelta(old, delta);
      expect(applyDelta(once, delta)).toEqual(once);
      expect(applyDelta(old, { id: old.id })).toEqual(old);
    });
    fc.assert(law, { numRuns: 50 });
  });

  test.each([
    ['a deleted', deletedPerson, { deleted: true }],
    ['an erased', erasedPerson, { erased: true }],
  ])('of %s person clears all but the mark, and who comes back loses it', (_, deltaOf, mark) => {
    const law = fc.property(person, (whole) => {
      const delta = deltaOf(whole.id);
      expect(PersonDelta.parse(delta)).toEqual(delta);
      const cleared = applyDelta(whole, delta);
      expect(cleared).toEqual({ id: whole.id, ...mark });
      const { middleName, ...fields } = whole;
      expect(applyDelta(cleared, personDelta(whole, systems))).toEqual(middleName ? whole : fields);
    });
    fc.assert(law, { numRuns: 50 });
  });

  test('never clears a middle name by an empty one, and takes unknown fields', () => {
    const stored = { id: '1', middleName: 'Ann', keyNumber: '7' };
    const delta: unknown = JSON.parse('{"id":"1","middleName":"","keyNumber":null,"shoeSize":43,"__proto__":{"x":1}}');
    const merged = applyDelta(stored, delta as Person);
    expect(JSON.stringify(merged)).toBe('{"id":"1","middleName":"Ann","shoeSize":43,"__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(stored).toEqual({ id: '1', middleName: 'Ann', keyNumber: '7' });
  });

  test('is strict: no unknown field, an id, values within bounds', () => {
    expect(PersonDelta.safeParse({ id: '1', shoeSize: 43 }).success).toBe(false);
    expect(PersonDelta.safeParse({ keyNumber: null }).success).toBe(false);
    expect(PersonDelta.safeParse({ id: '1', gender: 'DIVERSE' }).success).toBe(false);
    expect(Person.safeParse({ id: '1', keyNumber: null }).success).toBe(false);
  });
});

describe('a patch', () => {
  test('replaces whole properties, exactly as sent, and leaves the others', () => {
    const law = fc.property(person, specification.PersonPatch.valid as fc.Arbitrary<PersonPatch>, (old, patch) => {
      const frozen = Object.freeze({ ...old });
      const { address, bankDetails, ...rest } = applyPatch(frozen, patch);
      expect(address).toEqual(patch.addresses ? patch.addresses[0] : old.address);
      expect(bankDetails).toEqual(patch.bankDetails ?? old.bankDetails);
      const { address: _address, bankDetails: _bankDetails, ...others } = old;
      expect(rest).toEqual(others);
    });
    fc.assert(law, { numRuns: 100 });
  });

  test('that is empty changes nothing; an empty list clears, an empty object is stored', () => {
    const old: Person = { id: '1', address: { city: 'Ulm' }, bankDetails: { payee: 'Ann Roth' } };
    expect(applyPatch(old, {})).toEqual(old);
    expect(applyPatch(old, { addresses: [] })).toEqual({ id: '1', bankDetails: old.bankDetails });
    expect(applyPatch(old, { addresses: [{ zipCode: '89073' }, { city: 'Bonn' }] }).address).toEqual({
      zipCode: '89073',
    });
    expect(applyPatch(old, { bankDetails: {} })).toEqual({ ...old, bankDetails: {} });
    expect('address' in applyPatch(old, { addresses: [] })).toBe(false);
  });
});
