import fc from 'fast-check';
import type { z } from 'zod';
import { anyCharacter } from 'tooling-vitest/any-character';
import { recordKinds } from '../../src/feed/record-kinds.ts';
import { valuesOf } from '../schema-values.ts';
import { SENT } from './canaries.ts';
import { mostly, wordsOf } from './mostly.ts';
import { utf8 } from './fuzz-request.ts';

const oddValues = mostly(
  fc.constantFrom<unknown>(SENT, [SENT], { [SENT]: SENT }, `${SENT}\0`, `${SENT}\uD800`, SENT + '😀'.repeat(300)),
  2,
  fc.constantFrom<unknown>(null, 0, -0, [], {}, true, [[]], 1e308, -1e-308, 2 ** 53),
  fc.constantFrom('', '\0', '\uD800', 'x\uDC00', '😀', 'x'.repeat(300), '2026-13', '2026-02-30'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter }),
);
const oddNames = fc.oneof(
  wordsOf('shoeSize __proto__ constructor toString hasOwnProperty postalCode streetNumber / ~ \0 😀'),
  fc.string({ unit: anyCharacter, maxLength: 100 }),
);

interface Mutation {
  /** Which of the places of a value, counted in order and round. */
  readonly place: number;
  readonly name: string | undefined;
  readonly value: unknown;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat({ max: 30 }),
  name: fc.option(oddNames, { nil: undefined }),
  value: oddValues,
});

/** The JSON of a value in which one place has another value, or a member more. */
function mutated(value: unknown, { place, name, value: odd }: Mutation): string {
  let places = 0;
  JSON.stringify(value, (_, at: unknown) => {
    places++;
    return at;
  });
  let left = place % places;
  return JSON.stringify(value, (_, at: unknown) => {
    if (left-- !== 0) return at;
    if (name === undefined || typeof at !== 'object' || at === null) return odd;
    return Array.isArray(at) ? [...(at as unknown[]), odd] : Object.fromEntries([...Object.entries(at), [name, odd]]);
  });
}

const DEEP = 2000;
const LARGE = 1024 * 1024 + 1;

/** What is no JSON, or JSON as few write it. */
const oddTexts = fc
  .oneof(
    wordsOf(`{ [ " nul {}{} {"a":1,} {'a':1} [1,] \uFEFF{} {"a":01} +1 NaN 1e400 -0 /*x*/{} {"amount":1e999}`),
    wordsOf(`{"__proto__":{"iban":1}} {"${SENT}":"${SENT}"} "${SENT}" {"bankDetails":{},"bankDetails":{"iban":"x"}}`),
    wordsOf(`{"amount":1${'0'.repeat(400)}} [${'1,'.repeat(20_000)}1] ${'['.repeat(DEEP)} ${'{"a":'.repeat(DEEP)}`),
    wordsOf(`${'['.repeat(DEEP)}${']'.repeat(DEEP)} {"addresses":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
    fc.string({ unit: anyCharacter }),
  )
  .map(utf8);

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array).toString('latin1')),
  wordsOf(`"\xFF" "\xED\xA0\x80" \xEF\xBB\xBF{} {\0}\0 \x1F\x8B\x08\0 "\xC0\xAF" {"iban":"${SENT}\xFF"}`),
);

function escaped(text: string): string {
  return text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Bodies for a model, or like some values: most of them, many with something wrong, some nothing of the kind. One byte a character. */
export function bodies(like: z.ZodType | fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const values = like instanceof fc.Arbitrary ? like : valuesOf(like);
  const right = values.map((value) => JSON.stringify(value));
  const wrong = fc.tuple(values, mutations).map(([value, mutation]) => mutated(value, mutation));
  const large = fc.constantFrom(`"${'x'.repeat(LARGE)}"`, `{"${'x'.repeat(LARGE / 2)}":1}`);
  return mostly(
    right.map(utf8),
    3,
    wrong.map(utf8),
    wrong.map(utf8),
    wrong.map(utf8),
    right.map(escaped),
    oddTexts,
    mostly(bytes, 2, large, fc.constant('')),
  );
}

/** Records of every kind with a place that is most often wrong. */
const records = fc.oneof(
  ...Object.entries(recordKinds).map(([kind, { model }]) =>
    fc
      .tuple(valuesOf(model), mutations)
      .map(([fields, mutation]) => mutated({ kind, ...(fields as object) }, mutation)),
  ),
);

/** Feeds of few lines, most of them bad: what persons have stays. */
export const feeds: fc.Arbitrary<string> = fc
  .array(
    mostly(
      fc.constant(`{"kind":"deletePerson","id":"${SENT}"}`),
      2,
      records.map(utf8),
      records.map(escaped),
      wordsOf(String.raw`{ {} [] {"kind":"person"} {"kind":"keyNumber","\u0000\udc00":1}`),
      oddTexts,
      bytes,
    ),
    { maxLength: 3 },
  )
  .map((lines) => lines.join('\n'));
