import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { describe, expect, it } from 'vitest';
import { JsonArrayCutter, MalformedJsonArray } from '../src/json-array-cutter.ts';

const encoder = new TextEncoder();

/** What the platform makes of the bytes: the elements, or undefined for anything but an array. */
function expected(bytes: Uint8Array): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the cutter makes of them, given in chunks that end at the cuts. */
function cut(bytes: Uint8Array, cuts: readonly number[], maxElementBytes?: number): unknown[] | undefined {
  const cutter = new JsonArrayCutter(maxElementBytes);
  const elements: unknown[] = [];
  const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  try {
    for (const [index, edge] of edges.slice(1).entries()) {
      elements.push(...cutter.push(bytes.subarray(edges[index], edge)));
    }
    cutter.end();
    return elements;
  } catch (error) {
    if (error instanceof MalformedJsonArray) return undefined;
    throw error;
  }
}

function everyByte(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys());
}

function bytesAndCuts(source: fc.Arbitrary<Uint8Array>): fc.Arbitrary<[Uint8Array, number[]]> {
  return source.chain((bytes) => fc.tuple(fc.constant(bytes), fc.array(fc.nat(bytes.length), { maxLength: 12 })));
}

const whiteSpace = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
const arrays = fc
  .tuple(fc.constantFrom('', '\u{FEFF}'), whiteSpace, fc.array(fc.jsonValue()), fc.constantFrom(0, 1), whiteSpace)
  .map(([mark, before, value, indent, after]) =>
    encoder.encode(mark + before + JSON.stringify(value, null, indent) + after),
  );

// Texts beyond the length from which a string is searched, with escapes before, at and behind it, and much white space.
const longText = fc
  .array(fc.constantFrom('x'.repeat(31), 'x'.repeat(64), 'é', '"', '\\', '\\'.repeat(40), '"'.repeat(40)), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const longTexts = fc
  .tuple(fc.array(fc.oneof(longText, fc.record({ id: longText }))), fc.constantFrom('', ' ', ' '.repeat(200)))
  .map(([list, gap]) => encoder.encode(`[${list.map((one) => gap + JSON.stringify(one) + gap).join(',')}${gap}]`));

// Elements that begin alike, within which others and texts seem to begin in the same way.
const nested = fc.array(fc.record({ id: fc.constantFrom('', '},{"id":', '\\', '{"id":"') }), { maxLength: 3 });
const alike = fc
  .array(fc.record({ id: fc.constantFrom('a', ',{"id":', '"},{"id":"', ']'), groups: nested }), { maxLength: 12 })
  .map((list) => encoder.encode(JSON.stringify(list)));
const damagedBy = (source: fc.Arbitrary<Uint8Array>) =>
  fc
    .tuple(source, fc.nat(), fc.constantFrom(...encoder.encode('[]{},:"x')))
    .map(([bytes, at, byte]) => bytes.with(at % bytes.length, byte));

// Sentences over the alphabet of the grammar: most are wrong by one token, some are arrays.
const tokens = ['[', ']', '{', '}', ',', ':', '"a"', '"\\"', '"', '\\', '1', '-0.5e3', 'true', 'nul', ' ', '\u{FEFF}'];
const sentences = fc.array(fc.constantFrom(...tokens), { maxLength: 9 }).map((list) => encoder.encode(list.join('')));
const bracketed = sentences.map((inner) => Uint8Array.of(0x5b, ...inner, 0x5d));
const damaged = fc.tuple(arrays, fc.nat(), fc.nat(255)).map(([bytes, at, byte]) => bytes.with(at % bytes.length, byte));
const truncated = fc.tuple(arrays, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % bytes.length));

describe('JsonArrayCutter', () => {
  it.each([
    ['arrays', arrays],
    ['sentences over the tokens of JSON', sentences],
    ['the same between brackets', bracketed],
    ['arrays with one byte changed', damaged],
    ['arrays cut off', truncated],
    ['elements that begin alike', alike],
    ['long texts and much white space', longTexts],
    ['the same with one byte changed', damagedBy(longTexts)],
    ['elements that begin alike with one byte changed', damagedBy(alike)],
    ['any bytes', fc.uint8Array()],
  ])('accepts exactly what JSON.parse accepts as an array, for every split: %s', (_, source) => {
    fc.assert(
      fc.property(bytesAndCuts(source), ([bytes, cuts]) => {
        expect(cut(bytes, cuts)).toEqual(expected(bytes));
      }),
      { numRuns: 500 * testScale },
    );
  });

  it.each(['[]', ' [ ] ', '\u{FEFF}[1]', '[{"a":"]"},"\\\\",[[]]]', '["\\"", "é", "😀", "\\u005d"]', '[1]\r\n'])(
    'accepts %j, given byte by byte',
    (text) => {
      const bytes = encoder.encode(text);
      expect(cut(bytes, everyByte(bytes))).toEqual(expected(bytes));
      expect(expected(bytes)).toBeDefined();
    },
  );

  it.each([
    '',
    ' ',
    '{}',
    'null',
    '"[]"',
    '[',
    '[1',
    '[1,',
    '[{},]',
    '[,]',
    '[,1]',
    '[1,,2]',
    '[1}',
    '{1]',
    '[[1},{2]]',
    '[{"id":1},{"id":2}}',
    '[1]]',
    '[1][2]',
    '[1],[2]',
    '[] x',
    '[1] \u{FEFF}',
    '\u{FEFF}\u{FEFF}[1]',
    '[1,\u{FEFF}2]',
    '[\u{A0}]',
    '["a]',
    "['a']",
    '<!doctype html>',
  ])('rejects %j, whole and byte by byte', (text) => {
    const bytes = encoder.encode(text);
    expect(cut(bytes, [])).toBeUndefined();
    expect(cut(bytes, everyByte(bytes))).toBeUndefined();
  });

  it.each([
    ['a byte that never occurs', [0x5b, 0x22, 0xff, 0x22, 0x5d]],
    ['half a character before the closing quote', [0x5b, 0x22, 0xc3, 0x22, 0x5d]],
    ['half a character before a comma', [0x5b, 0x31, 0xc3, 0x2c, 0x32, 0x5d]],
    ['half a byte order mark', [0xef, 0xbb, 0x5b, 0x5d]],
  ])('rejects what is not UTF-8: %s', (_, list) => {
    const bytes = Uint8Array.from(list);
    expect(cut(bytes, [])).toBeUndefined();
    expect(cut(bytes, everyByte(bytes))).toBeUndefined();
  });

  it('rejects an element over the bound, and only that, for every split', () => {
    const texts = fc.string({ unit: fc.constantFrom('x', '"', '\\', ','), maxLength: 12 });
    const lists = fc.array(texts, { minLength: 1, maxLength: 6 }).map((list) => encoder.encode(JSON.stringify(list)));
    const maxElementBytes = 10;
    fc.assert(
      fc.property(bytesAndCuts(lists), ([bytes, cuts]) => {
        const all = expected(bytes) ?? [];
        const fits = all.every((element) => JSON.stringify(element).length <= maxElementBytes);
        expect(cut(bytes, cuts, maxElementBytes)).toEqual(fits ? all : undefined);
      }),
    );
  });

  it('reads what is nested a hundred thousand times', () => {
    const depth = 100_000;
    const cutter = new JsonArrayCutter();
    expect(cutter.push(encoder.encode('['.repeat(depth) + ']'.repeat(depth)))).toHaveLength(1);
    cutter.end();
  });

  it.each([
    ['[', 'ended within element 1'],
    ['[{"id":"1"},{"i', 'ended within element 2'],
    ['[{"id":"1"},', 'ended within element 2'],
    ['[1,2,', 'ended within element 3'],
    ['', 'is not a JSON array: there is nothing in it'],
  ])('names the element within which %j ends', (text, message) => {
    const cutter = new JsonArrayCutter();
    cutter.push(encoder.encode(text));
    expect(() => cutter.end()).toThrow(new MalformedJsonArray(message));
  });

  it('names the last element before text that is not JSON', () => {
    const cutter = new JsonArrayCutter();
    cutter.push(encoder.encode('[1,2,'));
    expect(() => cutter.push(encoder.encode('nul]'))).toThrow('is not valid JSON, after element 2');
  });

  it('quotes nothing of the body in its message', () => {
    const cutter = new JsonArrayCutter();
    let thrown: unknown;
    try {
      cutter.push(encoder.encode('[{"iban":DE02120300000000202051}]'));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(MalformedJsonArray);
    expect((thrown as MalformedJsonArray).cause).toBeUndefined();
    expect((thrown as MalformedJsonArray).message).toBe('is not valid JSON');
  });
});
