import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { describe, expect, test } from 'vitest';
import { jsonPointer } from '../src/index.ts';
import { shownName } from '../src/issues.ts';
import { readJson } from '../src/provider/decode.ts';
import { structureFault } from '../src/provider/index.ts';

const MAX_DEPTH = 32;
const json = fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter });
const space = fc.constantFrom(undefined, 1, '\t', '\n\r ');

function depth(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
}

/** A name as JSON may write it, too. */
function escaped(name: string): string {
  const units = name.split('').map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${units.join('')}"`;
}

type Path = (string | number)[];

/** The places of all members of objects. */
function members(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const isArray = Array.isArray(value);
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...path, isArray ? Number(name) : name];
    return [...(isArray ? [] : [place]), ...members(member, place)];
  });
}

/** The text of a value, in which the member at a place is given once more, behind all others of its object. */
function withTwice(value: unknown, [step, ...rest]: Path, escape: boolean): string {
  if (Array.isArray(value)) {
    return `[${value.map((element, index) => (index === step ? withTwice(element, rest, escape) : JSON.stringify(element))).join(' , ')}]`;
  }
  const written = Object.entries(value as object).map(([name, member]: [string, unknown]) => {
    const text = name === step && rest.length > 0 ? withTwice(member, rest, escape) : JSON.stringify(member);
    return `${JSON.stringify(name)} : ${text}`;
  });
  const twice = `${escape ? escaped(String(step)) : JSON.stringify(step)}:null`;
  return `{${[...written, ...(rest.length === 0 ? [twice] : [])].join(',')}}`;
}

test('what JSON.stringify writes has no fault', () => {
  fc.assert(
    fc.property(json, space, (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(structureFault(text)).toBeUndefined();
      expect(readJson(Buffer.from(text.toWellFormed()))).toEqual(JSON.parse(text.toWellFormed()));
    }),
    { numRuns: 1000 },
  );
});

test('a name that is given twice, however it is written, is found at its place', () => {
  const withMembers = json.filter((value) => members(value).length > 0);
  fc.assert(
    fc.property(withMembers, fc.nat(), fc.boolean(), (value, choice, escape) => {
      const places = members(value);
      const place = places[choice % places.length] ?? [];
      const text = withTwice(value, place, escape);
      // It is JSON, and this is what it hides.
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect(structureFault(text)).toEqual({
        pointer: jsonPointer(place.map((step) => (typeof step === 'string' ? shownName(step) : step))),
        code: 'rule',
        detail: 'must be given only once',
      });
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [String.raw`{"a":"\\","a":1}`, '/a'],
  [String.raw`{"a":"\\\"","a":1}`, '/a'],
  [String.raw`{"a\\":1,"a\\":"\\"}`, '/a\\'],
  ['{"":1,"":2}', '/'],
  ['{"__proto__":1,"__proto__":2}', '/__proto__'],
  ['[[],{"a":[1,{"b":1,"c":{},"b":2}]}]', '/1/a/1/b'],
])('%s gives %s twice', (text, pointer) => {
  expect(structureFault(text)?.pointer).toBe(pointer);
});

test(`more than ${MAX_DEPTH} levels are too deep, wherever they are`, () => {
  const wrapping = fc.array(fc.boolean(), { minLength: 20, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(json, wrapping, (core, wraps) => {
      const value = wraps.reduce<unknown>((inner, isArray) => (isArray ? [0, inner] : { a: 0, b: inner }), core);
      const fault = structureFault(JSON.stringify(value));
      expect(fault?.detail).toBe(depth(value) > MAX_DEPTH ? 'is nested more than 32 levels deep' : undefined);
    }),
  );
});

test.each(['[', '{"a":', '"\\', '"\\\\\\"', '{"a":1,"b', '1', '0', '1.', '.0e', '-'])(
  'a body full of %s is looked through in no time',
  (part) => {
    const begin = performance.now();
    expect(() => readJson(Buffer.from(part.repeat((1024 * 1024) / part.length)))).toThrow('The body is');
    // By a square of the length, it would take minutes.
    expect(performance.now() - begin).toBeLessThan(10_000);
  },
);

test.each(['{"\\x":1}', '{"a', '"', ']', ',', '[1}{"b":2'])('%s is not JSON', (text) => {
  expect(() => readJson(Buffer.from(text))).toThrow('The body is not JSON.');
});

test('a long name is not told whole, and no control character', () => {
  const name = JSON.stringify('\0\x1B' + 'x'.repeat(100_000));
  expect(structureFault(`{${name}:1,${name}:2}`)?.pointer).toBe(`/\uFFFD\uFFFD${'x'.repeat(78)}`);
});

/** The value of a number times a power of ten, so that it is an integer. */
function scaled(number: string): bigint {
  const [, sign, whole = '', fraction = '', power = '0'] = /^(-?)(\d+)\.?(\d*)(?:e(.*))?$/i.exec(number) ?? [];
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(1000 + Number(power) - fraction.length);
}

describe('a number', () => {
  const digits = fc.stringMatching(/^\d{0,25}$/);
  const exponent = fc.oneof(fc.constant(undefined), fc.integer({ min: -400, max: 400 }));
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });

  test('in the shortest form of a double has no fault, nor if it is written longer', () => {
    fc.assert(
      fc.property(doubles, digits, (double, zeros) => {
        const [mantissa = '', power = '0'] = String(double).split('e');
        const longer = `${mantissa}${mantissa.includes('.') ? '' : '.0'}${'0'.repeat(zeros.length)}E${power}`;
        for (const number of [String(double), longer]) expect(structureFault(`[${number}]`)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  test('of another value than its double has one, at its place', () => {
    fc.assert(
      fc.property(fc.boolean(), digits, digits, exponent, doubles, (isNegative, whole, fraction, power, double) => {
        const made = `${isNegative ? '-' : ''}${BigInt(whole)}${fraction && `.${fraction}`}${power === undefined ? '' : `e${power}`}`;
        // Beside a double, most of what has a digit more is no double.
        for (const number of [made, `${double}`.replace(/^-?\d+(\.\d+)?/, (mantissa) => `${mantissa}${fraction}`)]) {
          const value = Number(number);
          const isHeld = Number.isFinite(value) && scaled(String(value)) === scaled(number);
          const fault = structureFault(`{"a":["1e-400",${number}]}`);
          expect(fault && [fault.pointer, fault.code]).toEqual(isHeld ? undefined : ['/a/1', 'rule']);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['1e-400', false],
    ['0.1000000000000000000001', false],
    ['12345678901234567890', false],
    ['9007199254740993', false],
    ['0.10000000000000001', false],
    ['1e999', false],
    ['-0', true],
    ['0e-999', true],
    ['1.10', true],
    ['100.0e-2', true],
    ['0.30000000000000004', true],
    ['12345678901234567000', true],
    ['5E-324', true],
  ])('%s is held: %s', (number, isHeld) => {
    expect(structureFault(number) === undefined).toBe(isHeld);
  });
});

test.each([
  ['[' + '1,'.repeat(9998) + '1]', undefined],
  ['[' + '1,'.repeat(10_000) + '1]', 'has more than 10000 opening braces, brackets and commas'],
  ['[' + '[],'.repeat(6000) + '1]', 'has more than 10000 opening braces, brackets and commas'],
  [JSON.stringify(','.repeat(20_000)), undefined],
])('%.10s… has so many parts', (text, detail) => {
  expect(structureFault(text)?.detail).toBe(detail);
});
