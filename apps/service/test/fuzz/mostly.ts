import fc from 'fast-check';

/** Mostly the usual, and one time in `outOf` one of the others. */
export function mostly<Value>(
  usual: fc.Arbitrary<Value>,
  outOf: number,
  ...others: readonly fc.Arbitrary<Value>[]
): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: outOf - 1 }, { arbitrary: fc.oneof(...others), weight: 1 });
}

/** One of the words of a text. */
export function wordsOf(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...text.split(' '));
}

const printable = Array.from({ length: 94 }, (_, index) => String.fromCodePoint('!'.charCodeAt(0) + index));

/** Texts of ASCII without white space, which break neither an address nor a header. */
export const printableText = fc.string({ unit: fc.constantFrom(...printable) });
