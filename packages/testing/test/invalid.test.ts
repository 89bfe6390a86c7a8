import { issuesOf, lenient, operations, type Operation, type OperationId } from '@hr/schemas';
import { checkPart, responseCheck } from '@hr/schemas/checks';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fixtures } from '../src/fixtures/index.ts';
import { allBuilders } from './all-builders.ts';

const { address, person, personPatch, timeBookingDay, variablePaymentRequest } = fixtures();

type Schema = z.core.JSONSchema.Schema;

/** The rules of a model by place, read from its JSON Schema. The first element of a list stands for all. */
function rulesOf(model: z.ZodType): string[] {
  const { $defs = {}, ...root } = z.toJSONSchema(model, { io: 'input' });
  const resolved = (schema: Schema): Schema => ($defs[schema.$ref?.split('/').at(-1) ?? ''] ?? schema) as Schema;

  const rulesAt = (schema: Schema, pointer: string, isRequired = false): string[] => {
    const options = (schema.anyOf as Schema[] | undefined)?.filter(({ type, $ref }) => type ?? $ref) ?? [];
    const value = resolved(options[0] ?? schema);
    const rules = {
      'wrong type': true,
      null: !options.some(({ type }) => type === 'null'),
      missing: isRequired,
      'too short': value.minLength !== undefined,
      'too long': value.maxLength !== undefined,
      'wrong pattern': value.pattern !== undefined || value.format === 'date',
      'impossible date': value.format === 'date',
      'not in the list': value.enum !== undefined || value.const !== undefined,
      'too small': value.minimum !== undefined,
      'too large': value.maximum !== undefined,
      fraction: value.type === 'integer',
    };
    const members = Object.entries(value.properties ?? {}).flatMap(([name, member]) =>
      rulesAt(member as Schema, `${pointer}/${name}`, value.required?.includes(name)),
    );
    return [
      ...Object.entries(rules).flatMap(([rule, holds]) => (holds ? [`${pointer} ${rule}`] : [])),
      ...(value.items === undefined ? [] : rulesAt(value.items as Schema, `${pointer}/0`)),
      ...members,
      ...(value.additionalProperties === false ? [`${pointer}/unknownMember unknown member`] : []),
    ];
  };
  return rulesAt(root as Schema, '');
}

describe.each(allBuilders)('$name', ({ builder, seeded, model }) => {
  const issuesIn = (value: unknown) => {
    const { error } = model.safeParse(value);
    return error ? issuesOf(error, value).map(({ pointer, code }) => ({ pointer, code })) : [];
  };

  test('each variant breaks its rule alone, whatever the seed and the traits', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.subarray([...builder.traits]), (seed, chosen) => {
        const variants = seeded(seed)
          .with(...chosen)
          .invalid();
        for (const { value, valid, pointer, code } of variants) {
          expect(issuesIn(valid)).toEqual([]);
          expect(issuesIn(value)).toEqual([{ pointer, code }]);
        }
      }),
      { numRuns: 2 * testScale },
    );
  });

  test('no rule of the model is left out, whatever the seed', () => {
    const rules = rulesOf(model);
    expect(rules.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seed) => {
        const found = seeded(seed)
          .invalid()
          .map(({ pointer, rule }) => `${pointer} ${rule}`);
        expect(rules.filter((rule) => !found.includes(rule))).toEqual([]);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 2 * testScale },
    );
  });
});

const named = (variants: readonly { pointer: string; rule: string }[]): string[] =>
  variants.map(({ pointer, rule }) => `${pointer} ${rule}`);

test('rules that JSON Schema cannot express are broken too', () => {
  expect(named(timeBookingDay.invalid())).toEqual(
    expect.arrayContaining([
      '/targetTime sixty minutes',
      '/targetTime third decimal',
      '/bookings/0/time impossible date',
      '/bookings/0/time impossible time',
      '/bookings/0/time zone offset',
      '/bookings/0/key NUL',
      '/bookings/0/key lone surrogate',
    ]),
  );
  expect(named(variablePaymentRequest.invalid())).toEqual(
    expect.arrayContaining([' no value to pay', '/correctionPeriod impossible date']),
  );
  expect(named(personPatch.invalid())).toEqual(
    expect.arrayContaining([
      '/addresses/0/street street beside post-office box',
      '/addresses/0/houseNumber houseNumber beside post-office box',
      '/addresses/0/postalCode former name',
      '/bankDetails/iban NUL',
    ]),
  );
});

test('too long is too long by one code point', () => {
  for (const { pointer, rule, value, valid } of person.invalid()) {
    if (rule !== 'too long' || pointer !== '/lastName') continue;
    expect(value).toEqual({ ...valid, lastName: `${valid.lastName}`.padEnd(81, 'x') });
  }
  expect(named(person.invalid())).toContain('/lastName too long');
});

test('a variant differs from the valid value at its place only, and shares no objects with another', () => {
  const [one, other] = address
    .with('street')
    .invalid()
    .filter(({ pointer }) => pointer === '/city');
  expect(one?.value).toEqual({ ...one?.valid, city: null });
  expect(one?.valid).toEqual(other?.valid);
  expect(one?.valid).not.toBe(other?.valid);
});

test('variants are of the first value, and take no place in the sequence', () => {
  const { person: builder, reset } = fixtures({ seed: 6 });
  const before = builder.invalid();
  const built = builder.list(2);
  expect(builder.invalid()).toEqual(before);
  expect(before[0]?.valid).toEqual(built[0]);
  const third = builder.build();
  reset();
  expect(builder.list(3)).toEqual([...built, third]);
});

function valuesOf(of: z.ZodType | undefined): unknown[] {
  return allBuilders
    .filter(({ model }) => model === of)
    .flatMap(({ seeded }) => seeded(7).invalid())
    .flatMap(({ value, valid }) => [value, valid]);
}

function foundByModel(model: z.ZodType, value: unknown) {
  return issuesOf(model.safeParse(value).error ?? { issues: [] }, value);
}

function foundByCheck(id: OperationId, changes: boolean, value: unknown) {
  return responseCheck(id, { changes })(value).map(({ unusable: _unusable, ...issue }) => issue);
}

test.each(Object.entries<Operation>(operations) as [OperationId, Operation][])(
  'the checks of %s without zod find every fault that the models find',
  (id, { response, delta, body }) => {
    expect(valuesOf(response).length).toBeGreaterThan(10);
    for (const model of delta ? [response, delta] : [response]) {
      const reader = lenient(model);
      for (const value of valuesOf(model)) {
        expect(foundByCheck(id, model === delta, value)).toEqual(foundByModel(reader, value));
      }
    }
    for (const value of valuesOf(body)) {
      expect(checkPart(id, 'body', value).issues).toEqual(foundByModel(body as z.ZodType, value));
    }
  },
);
