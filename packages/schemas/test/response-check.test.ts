import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lenient, operations, Person, PersonDelta, responseCheck } from '../src/index.ts';
import type { Lenient, OperationId } from '../src/index.ts';
import * as specification from './specification.ts';

const models = {
  listPersons: specification.Person,
  updatePerson: specification.Person,
  submitVariablePayment: specification.VariablePayment,
  listVariablePayments: specification.VariablePayment,
  listTimeBookings: specification.TimeBookingPerson,
  listSalaryHistory: specification.SalaryHistoryEntry,
  listAbsences: specification.Absence,
} satisfies Record<OperationId, specification.Model>;

const valueAt = (value: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((found, name) => (found as Record<string, unknown>)[name], value);

describe.each(Object.entries(models) as [OperationId, specification.Model][])('%s', (id, model) => {
  const check = responseCheck(id);
  const reader = lenient(operations[id].response);

  test('is read with null, gaps and unknown fields, and kept as it is', () => {
    const law = fc.property(model.lenient ?? model.valid, (value) => {
      expect(check(value)).toEqual([]);
      expect(reader.parse(value)).toEqual(value);
    });
    fc.assert(law, { numRuns: 200 });
  });

  test('is unusable where a type is wrong or a required field is missing, and reported where a stated bound is broken', () => {
    for (const { at, code, value, ours } of model.faults) {
      // Unknown fields are kept, and an optional field may be null.
      if (code === 'unknown-name' || (at !== '' && valueAt(fc.sample(value, 1)[0], at) === null)) continue;
      const law = fc.property(value, (bad) => {
        const unusable = code === 'wrong-type' || code === 'required';
        const found = check(bad);
        expect(new Set(found.map(({ pointer }) => pointer))).toEqual(new Set(ours ? [] : [at]));
        expect(found.filter((fault) => fault.code === code && fault.unusable === unusable).length > 0).toBe(!ours);
      });
      fc.assert(law, { numRuns: 1 });
    }
  });

  test('is checked by compiled code that agrees with the interpreted one', () => {
    const compiled = z.compile(reader, { strict: true });
    const cases = fc.oneof(model.lenient ?? model.valid, ...model.faults.map(({ value }) => value));
    const law = fc.property(cases, (value) => {
      expect(compiled.safeParse(value).error?.issues).toEqual(reader.safeParse(value).error?.issues);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

const check = responseCheck('listPersons');
const faultsOf = (value: unknown) =>
  check(value).map(({ pointer, code, unusable }) => `${pointer} ${code}${unusable ? ' unusable' : ''}`);

test.each([
  [
    'an unknown gender or status is reported',
    { gender: 'DIVERSE', status: 'LOCKED' },
    ['/gender not-allowed', '/status not-allowed'],
  ],
  ['a gender that is no text is unusable', { gender: 1 }, ['/gender wrong-type unusable']],
  ['a broken bound is reported', { jobTitle: 'x'.repeat(401) }, ['/jobTitle too-long']],
  [
    'a number for a text is unusable',
    { employments: [{ payrollContractId: 7 }] },
    ['/employments/0/payrollContractId wrong-type unusable'],
  ],
  [
    'an unknown value of an open enum is none',
    {
      groups: [{ id: '1', type: 'TEAM' }],
      customFields: [{ name: 'x', type: 'DATE' }],
      employments: [{ payrollContractId: '1', paymentTime: 'LAST' }],
    },
    [],
  ],
  [
    'a street beside a box is reported',
    { address: { street: 'Hauptstr.', postOfficeBox: '7' } },
    ['/address/street rule'],
  ],
  ['null is none', { firstName: null, address: null, employments: null, groups: null, status: null }, []],
  ['a missing contract id is unusable', { employments: [{}] }, ['/employments/0/payrollContractId required unusable']],
  [
    'null for a contract id is unusable',
    { employments: [{ payrollContractId: null }] },
    ['/employments/0/payrollContractId wrong-type unusable'],
  ],
  [
    'a bound that the specification does not state is not reported',
    {
      keyNumber: '',
      managerId: 'x'.repeat(256),
      groups: [{ id: 'x'.repeat(256), type: '\0' }],
      lastName: '\uD83D',
      customFields: [{ name: '', textValue: '\0', numberValue: 1e13 }],
    },
    [],
  ],
  [
    'a broken bound beside a missing field is not unusable',
    { jobTitle: 'x'.repeat(401), employments: [{}] },
    ['/jobTitle too-long', '/employments/0/payrollContractId required unusable'],
  ],
  ['null for an employment is unusable', { employments: [null] }, ['/employments/0 wrong-type unusable']],
  ['a person without id is unusable', { id: undefined }, ['/id required unusable']],
  ['null for the id is unusable', { id: null }, ['/id wrong-type unusable']],
])('%s', (_, fields, expected) => {
  expect(faultsOf({ id: '1', ...fields })).toEqual(expected);
});

test.each([null, undefined, 'x', 5, [], [{ id: '1' }]])('%o is not a person', (value) => {
  expect(check(value)).toEqual([expect.objectContaining({ pointer: '', unusable: true })]);
});

test('an unknown operation is named as such', () => {
  const error = new RangeError('responseCheck: unknown operation. See operations.');
  expect(() => responseCheck('nope' as OperationId)).toThrow(error);
});

test('a value outside a closed list is a broken bound to the reader, though its type has it', () => {
  const person: Lenient<Person> = { id: '1', status: 'ON_LEAVE' };
  expect(lenient(Person).safeParse(person).success).toBe(false);
  expect(lenient(Person).parse({ id: '1', groups: [{ id: '1', type: 'TEAM' }] })).toMatchObject({ id: '1' });
});

test('a check is made once', () => {
  expect(responseCheck('listPersons')).toBe(check);
});

test('it works where code may not be made from text', () => {
  const source = `
    import { responseCheck } from '@hr/schemas';
    process.stdout.write(JSON.stringify(responseCheck('listPersons')({ id: 1 })));`;
  const output = execFileSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--conditions=@hr/source', '--input-type=module', '--eval', source],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  expect(JSON.parse(output)).toEqual(check({ id: 1 }));
});

test('an element of a list of changes may be null in each field but id, and say that the person was erased', () => {
  const changes = responseCheck('listPersons', { changes: true });
  expect(changes({ id: '1', erased: true, firstName: null })).toEqual([]);
  expect(changes({ id: '1', erased: false }).map(({ pointer, unusable }) => [pointer, unusable])).toEqual([
    ['/erased', true],
  ]);
  expect(changes({ firstName: null }).map(({ pointer, unusable }) => [pointer, unusable])).toEqual([['/id', true]]);
  expect(responseCheck('listSalaryHistory', { changes: true })).toBe(responseCheck('listSalaryHistory'));
});

test('a tolerant reader can be read again, and keeps each value as it is', () => {
  const law = fc.property(specification.Person.valid, (person) => {
    expect(lenient(lenient(Person)).parse(person)).toEqual(person);
  });
  fc.assert(law, { numRuns: 50 });
});

test('the reader of changes is tolerant below their fields too', () => {
  const delta = { id: '1', address: { zipCode: null, floor: '3' }, bankDetails: null };
  expect(lenient(PersonDelta).parse(delta)).toEqual(delta);
});
